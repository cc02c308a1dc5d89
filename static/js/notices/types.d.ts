/** A notification as `/notifications/newest.json` has it. */
interface NotificationRow {
  id: number;
  kind: string;
  title: string;
  body: string;
  url: string;
  button: string;
  ago: string;
  is_unread: boolean;
}
