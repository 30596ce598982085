// How a command refuses to start.

/** A command that was written wrongly. */
export class UsageError extends Error {}

/** There are no credentials for what was asked. */
export class NotSignedInError extends Error {
  constructor() {
    super('You are not signed in: run guildhall login')
  }
}

/** The command does not do what was asked: what is there, or what came, is not what the person agreed to. */
export class RefusedError extends Error {
  /** For programs. */
  readonly code: string
  /** For programs: what it is about. */
  readonly details: unknown

  constructor(code: string, message: string, details?: unknown) {
    super(message)
    this.code = code
    this.details = details
  }
}
