// What people name on the command line: #128, a type and an id, or an item by kind/slug.
import type { Client } from '../../client/src/create-client.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import { type ItemKind, itemKinds } from '../../src/contract/item-kinds.ts'
import { readName } from './home.ts'
import { isId, readItem } from './item-of.ts'
import { RefusedError, UsageError } from './usage.ts'

/** The slice of the API that has the things of a type. */
const ofItems = Object.fromEntries(itemKinds.map((kind) => [kind, 'library'])) as Record<ItemKind, 'library'>

const slices = {
  ...ofItems,
  bug: 'bugs',
  feature: 'features',
  post: 'posts',
  org: 'orgs',
  release: 'changelog',
} as const

type Type = keyof typeof slices

export interface Thing {
  slice: (typeof slices)[Type]
  id: string
}

const isType = (name: string): name is Type => Object.hasOwn(slices, name)

/** The thing that a word names. A number is looked up. */
export async function findThing(client: Client, word: string): Promise<Thing> {
  const number = word.match(/^#?(\d{1,9})$/)?.[1]
  if (number !== undefined) {
    const { type, id } = await client.references.get({ number: Number(number) })
    return { slice: slices[type], id }
  }
  if (readName(word) && !isId(word.slice(word.indexOf('/') + 1)))
    return { slice: 'library', id: (await readItem(word)(client)).id }
  const [type = '', id = ''] = word.split('/')
  if (isType(type) && /^\d{1,9}$/.test(id)) return numbered(client, type, Number(id))
  if (isType(type) && id !== '') return { slice: slices[type], id }
  if (isId(word)) return { slice: await sliceOf(client, word), id: word }
  throw new UsageError(
    `${word} names nothing: write a number such as 128, an item such as workflow/digest, or an id, perhaps with its type such as org/<id>`,
  )
}

/** bug/128: the number, if it is one of this type. */
async function numbered(client: Client, type: Type, number: number): Promise<Thing> {
  const found = await client.references.get({ number })
  if (found.type === type) return { slice: slices[type], id: found.id }
  throw new RefusedError('not_found', `#${number} is a ${found.type}`)
}

/** The slice that has a thing of this id. */
async function sliceOf(client: Client, id: string): Promise<Thing['slice']> {
  for (const slice of new Set(Object.values(slices))) {
    try {
      await client[slice].get({ id })
      return slice
    } catch (error) {
      if (!(error instanceof GuildhallError && error.status === 404)) throw error
    }
  }
  throw new RefusedError('not_found', `${id} is no thing that the server has, or shows you`)
}

/** How a listed thing is named. */
export const nameOf = ({ number, type, id }: { number?: number | null; type: string; id: string }): string =>
  number ? `#${number}` : `${type}/${id}`
