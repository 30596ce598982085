// Rules for claims, without input or output (interface.md, section 8; behaviour.md, section 5).

export const CODE_SECONDS = 600
export const CODE_FAILURES = 5
export const OUTSTANDING = { codes: 3, windowSeconds: 3600 }
/** Bounds how often a code can be guessed at: 50 tries a day at a million codes. */
export const DAILY = { codes: 10, windowSeconds: 86_400 }
