// Trusted publishing (behaviour.md, section 4): a run of a CI publishes one item without a stored secret.

/** The client of the grants that are made for runs of a CI: no client can have this id. Its tokens publish, and do nothing else. */
export const PUBLISHING_CLIENT = 'urn:guildhall:trusted-publishing'

/** Issuers of ID tokens that are known by name. */
export const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com'
export const GITLAB_ISSUER = 'https://gitlab.com'
