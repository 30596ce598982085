// How the program ends.

/** 0 is success. */
export const exitCodes = {
  /** The server refused, or the result is not what it should be. */
  refused: 1,
  /** The command was written wrongly. */
  usage: 2,
  /** Sign in, or sign in again. */
  signIn: 3,
  /** No answer, or none for now: try again later. */
  unavailable: 4,
  /** Not done yet: it waits for the yes of the account. */
  waiting: 5,
  interrupted: 130,
} as const
