// The check of something that was published failed.

/** Why something is not to be trusted. */
export type Doubt =
  | 'malformed'
  | 'key'
  | 'statement'
  | 'revoked'
  | 'artifact'
  | 'checkpoint'
  | 'inclusion'
  | 'consistency'
  | 'witness'

/** The check failed. What it was about is not to be used. */
export class VerifyError extends Error {
  readonly doubt: Doubt

  constructor(doubt: Doubt, message: string) {
    super(message)
    this.name = 'VerifyError'
    this.doubt = doubt
  }
}
