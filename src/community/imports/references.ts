// Where numbers and addresses in the texts of a source lead.
import { listByNumber, listByUrl } from '../../content/imported/queries.ts'
import type { Db, ImportedTable } from '../../database/schema.ts'
import { type Leads, mentionsIn } from './rules.ts'

/** Things that one text may lead to; a text that mentions more keeps the others as they are. */
const MOST = 200

const pathOf = ({ type, thingId }: Pick<ImportedTable, 'type' | 'thingId'>) =>
  `/community/${type === 'feature' ? 'features' : `${type}s`}/${thingId}`

/** What a text mentions of its own source. */
export async function leadsOf(
  db: Db,
  { scope, like }: { scope: string; like: { url?: string | null | undefined; number?: number | null | undefined } },
  text: string,
): Promise<Leads> {
  const { numbers, urls } = mentionsIn(text)
  const [byNumber, byUrl] = [
    await listByNumber(db, scope, numbers.slice(0, MOST)),
    await listByUrl(db, urls.slice(0, MOST)),
  ]
  const numbered = new Map(byNumber.map((one) => [one.number, one]))
  const addressed = new Map(byUrl.toReversed().map((one) => [one.url, one]))
  // The address of a thing ends with its number, so others have theirs there.
  const { url: address, number: own } = like
  const base = address && own && address.endsWith(`/${own}`) ? address.slice(0, -String(own).length) : undefined
  return {
    number(number) {
      const own = numbered.get(number)?.ownNumber
      return own == null ? undefined : { number: own }
    },
    addressOf: (number) => base && `${base}${number}`,
    url(url) {
      const found = addressed.get(url)
      return found?.ownNumber == null ? undefined : { number: found.ownNumber, path: pathOf(found) }
    },
  }
}
