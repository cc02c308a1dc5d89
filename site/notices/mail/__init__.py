"""Mail about notices: digests and single mails, unsubscribing, bounces."""
