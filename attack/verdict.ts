// How an attack can end otherwise than with what was seen, and what it needs of its target.

/** What not every target has, with the sentence that is said where it is missing. */
export const needs = {
  accounts: 'needs an account that it may use freely (--email and --password)',
  newcomers: 'makes several accounts; only against a server of its own',
  mail: 'reads mails from the data folder; only against a server of its own',
  roles: 'needs a moderator and an admin; only against a server of its own',
  files: 'reads the data folder or the database; only against a server of its own',
  process: 'watches the process; only against a server of its own',
  load: 'sends much on purpose; give --harmful to try it',
  networks: 'comes from many networks; only against a server of its own',
} as const
export type Need = keyof typeof needs

/** The attack succeeded. The message is the evidence. */
export class GaveWay extends Error {
  constructor(evidence: string) {
    super(evidence)
    this.name = 'GaveWay'
  }
}

/** The attack cannot be tried here; the message says why. */
export class Skipped extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Skipped'
  }
}
