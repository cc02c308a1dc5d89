/** The line before the script, written by `pages.installable.views`. */
declare const SETTINGS: {
  version: string;
  offlinePage: string;
  offlineSheet: string;
  icon: string;
  badge: string;
  devices: string;
  token: string;
  fallback: string;
};

/** The event `pushsubscriptionchange`, which TypeScript's library lacks in part. */
interface SubscriptionChange {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}
