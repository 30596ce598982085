// What numbers and names in texts refer to.

import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { hasBoards, standingIn } from '../../contract/standing.ts'
import type { Db } from '../../database/schema.ts'
import type { Handlers } from '../../request/handler.ts'
import { findNumberInClosed } from '../board-access/place-queries.ts'
import type { Feature } from '../manifest.ts'
import type { references } from './contract.ts'
import { findNumber, listNumbers, listUsernames } from './queries.ts'

type NumberedRow = Awaited<ReturnType<typeof findNumber>> & {}

const numbered = ({ number, ...entry }: NumberedRow) => ({ number: Number(number), ...entry })

/** What has a number in a closed board that the running call reads. */
async function findRead(db: Db, number: number): Promise<NumberedRow | undefined> {
  const found = hasBoards() ? await findNumberInClosed(db, number) : undefined
  if (!found || !standingIn(found.boardId).read) return undefined
  const { boardId: _, number: own, ...thing } = found
  return { ...thing, number: Number(own) }
}

const handlers: Handlers<typeof references> = {
  async get({ db, config }, { number }) {
    const found = number === null ? undefined : ((await findNumber(db, number)) ?? (await findRead(db, number)))
    if (!found || partsOff(config).kinds.has(found.type)) throw new Problem('not_found', 'Nothing has this number')
    return numbered(found)
  },

  async list({ db, config }, { numbers, usernames }) {
    const { kinds } = partsOff(config)
    const [things, users] = await Promise.all([
      numbers.length > 0 ? listNumbers(db, numbers) : [],
      usernames.length > 0 ? listUsernames(db, usernames) : [],
    ])
    const members = users.flatMap(({ username }) => (username ? [{ username, url: `/community/u/${username}` }] : []))
    const shown = things.filter(({ type }) => !kinds.has(type))
    return { numbers: shown.map(numbered), members, users: members }
  },
}

export const referencesFeature = { handlers: { references: handlers } } satisfies Feature
