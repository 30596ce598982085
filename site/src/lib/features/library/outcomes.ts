// The classes of errors that a report can name, as the contract has them.
import type { Answer } from '#lib/api.ts'

type ErrorClass = NonNullable<Answer<'library.version'>['outcomes']>['errors'][number]['error']

/** In the order of the form. */
const all: Record<ErrorClass, true> = {
  ...{ install: true, start: true, permission: true, network: true },
  ...{ input: true, timeout: true, crash: true, other: true },
}
export const errorClasses = Object.keys(all) as ErrorClass[]
