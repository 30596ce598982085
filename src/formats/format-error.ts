// The one error every format throws. Its message is written for the user who uploaded the file, and it never contains control
// characters or long text from that file.
import type { z } from 'zod'
import { required } from '../runtime/untyped.ts'

const LONGEST_QUOTE = 120

/** For text that ends up in a database. */
export const STORABLE = 'expected well-formed Unicode without NUL'

/**
 * A file violates its format (formats.md). The message is `<field>: expected ...`, or `expected ...` alone for the file as a whole.
 *
 * @param expected the rule, starting with a verb: `expected a string of at least 1 character`
 * @param field dotted path of the first offending field (`roles.0.id`), or the name of a file within an archive
 */
export class FormatError extends Error {
  override readonly name = 'FormatError'
  readonly field: string

  constructor(expected: string, field = '') {
    super(field === '' ? expected : `${quote(field)}: ${expected}`)
    this.field = field
  }
}

/** Text from outside made fit for a message: well-formed, on one line, without control characters, at most 120 units. */
export function quote(text: string): string {
  const short = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE - 3)}...` : text
  return short.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?').toWellFormed()
}

/** The FormatError for the first problem found by a zod schema. */
export function refusalOf(error: z.ZodError): FormatError {
  const issue = required(error.issues[0])
  if (issue.code === 'unrecognized_keys') {
    return new FormatError(issue.message, [...issue.path, issue.keys[0]].join('.'))
  }
  return new FormatError(issue.message, issue.path.join('.'))
}
