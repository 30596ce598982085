// What pages and mails call an operation that an agent wants to make: the area `operations` of the catalogue, by the name of the operation.
import de from '../../messages/operations/de.json' with { type: 'json' }
import en from '../../messages/operations/en.json' with { type: 'json' }
import type { Words } from './words.ts'

/** The area, for catalogues that have not all areas. */
export const operations = { en, de }

/** The words for an operation such as `bugs.create`; what the API calls it where the catalogue has none, as for one of another version. */
export function operationWords(
  t: Pick<Words<never>, 'text'>,
  { operation = '', summary }: { operation?: string | undefined; summary: string },
): string {
  const [slice, verb] = operation.split('.')
  return Object.hasOwn(en, operation) ? t.text(`operations.${slice}.${verb}`, {}) : summary
}
