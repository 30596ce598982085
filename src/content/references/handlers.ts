// Handlers for references. Only what the feed can show has a number: private and deleted things are not found.
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../request/handler.ts'
import type { references } from './contract.ts'
import { findNumber, listNumbers, listUsernames } from './queries.ts'

type NumberedRow = Awaited<ReturnType<typeof findNumber>> & {}

const numbered = ({ number, ...entry }: NumberedRow) => ({ number: Number(number), ...entry })

export const handlers: Handlers<typeof references> = {
  async get({ db, config }, { number }) {
    const found = number === null ? undefined : await findNumber(db, number)
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
