// What one network may take of what all have together, so that none can use it up for the others.

/** The factor between the limits of a network and of an account: an office shares one network. */
export const NETWORK_SHARE = 10

/** What one network may take of what all have together. */
export const shareOfNetwork = (all: number): number => Math.max(1, Math.floor(all / NETWORK_SHARE))
