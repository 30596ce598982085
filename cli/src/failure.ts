// How a command fails: a sentence and an exit code.
import {
  ChecksumError,
  GuildhallError,
  InputError,
  NetworkError,
  SignInEndedError,
  SignInError,
  WaitingError,
} from '../../client/src/errors.ts'
import { exitCodes } from './exit-codes.ts'
import { NotSignedInError, RefusedError, UsageError } from './usage.ts'

export interface Failure {
  exitCode: number
  code: string
  message: string
  details?: unknown
}

/** What to tell of an error. What is not known is a fault of the program: a sentence too, and the stack for those who look for it. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { exitCode: exitCodes.refused, code: 'fault', message: String(error) }
  const failure = (exitCode: number, code: string): Failure => ({ exitCode, code, message: error.message })
  if (error instanceof WaitingError) {
    const { pendingId, expiresAt } = error
    const message = `Not done yet: it waits for your yes until ${expiresAt ?? 'it expires'}, at /settings/pending/${pendingId} of the site.`
    return { ...failure(exitCodes.waiting, 'waiting'), message, details: { pendingId } }
  }
  if (error instanceof GuildhallError) return refusal(error)
  if (error instanceof NetworkError) return { ...failure(exitCodes.unavailable, 'no_answer'), message: reasonOf(error) }
  if (error instanceof SignInEndedError || error instanceof NotSignedInError)
    return failure(exitCodes.signIn, 'sign_in')
  if (error instanceof SignInError) return failure(exitCodes.signIn, error.code)
  if (error instanceof RefusedError) {
    const { code, details } = error
    return { ...failure(exitCodes.refused, code), ...(details !== undefined && { details }) }
  }
  if (error instanceof ChecksumError) return failure(exitCodes.refused, 'checksum')
  const system = (error as NodeJS.ErrnoException).code
  if (error instanceof UsageError || error instanceof InputError) return failure(exitCodes.usage, 'usage')
  // What Node says after the first sentence is about positional arguments.
  if (system?.startsWith('ERR_PARSE_ARGS'))
    return { ...failure(exitCodes.usage, 'usage'), message: error.message.replace(/\. .*/s, '') }
  // Of the file system.
  if (/^E[A-Z]+$/.test(system ?? '')) return failure(exitCodes.refused, String(system))
  const message = `This is a fault of guildhall: ${error.message}. With GUILDHALL_DEBUG=1 it shows where.`
  return {
    ...failure(exitCodes.refused, 'fault'),
    message,
    ...(process.env['GUILDHALL_DEBUG'] === '1' && { details: error.stack }),
  }
}

function refusal({ status, code, message, retryAfterSeconds, requestId }: GuildhallError): Failure {
  const exitCode =
    status === 401 || code === 'insufficient_scope'
      ? exitCodes.signIn
      : status === 429 || status >= 500
        ? exitCodes.unavailable
        : exitCodes.refused
  const later = retryAfterSeconds === undefined ? '' : ` (try again in ${retryAfterSeconds} s)`
  const where = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : ''
  return { exitCode, code, message: `${message}${later}${where}` }
}

function reasonOf({ message, cause }: NetworkError): string {
  const inner = cause instanceof Error ? ((cause.cause as Error | undefined) ?? cause).message : ''
  return inner ? `${message}: ${inner}` : message
}
