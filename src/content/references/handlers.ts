// Handlers for references. Only what the feed can show has a number: private and deleted things are not found.
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../request/handler.ts'
import type { references } from './contract.ts'
import { findNumber, listNumbers, listUsernames } from './queries.ts'

type NumberedRow = Awaited<ReturnType<typeof findNumber>> & {}

const numbered = ({ number, ...entry }: NumberedRow) => ({ number: Number(number), ...entry })

export const handlers: Handlers<typeof references> = {
  async get({ db }, { number }) {
    const found = number === null ? undefined : await findNumber(db, number)
    if (!found) throw new Problem('not_found', 'Nothing has this number')
    return numbered(found)
  },

  async list({ db }, { numbers, usernames }) {
    const [things, users] = await Promise.all([
      numbers.length > 0 ? listNumbers(db, numbers) : [],
      usernames.length > 0 ? listUsernames(db, usernames) : [],
    ])
    return {
      numbers: things.map(numbered),
      users: users.flatMap(({ username }) => (username ? [{ username, url: `/community/u/${username}` }] : [])),
    }
  },
}
