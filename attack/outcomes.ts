// Reports of what works: without a download, by a crowd of one network, and learning who made them.
import { type Attack, hold, refusalOf } from './attack.ts'
import type { Person } from './person.ts'
import { publishToAll } from './things.ts'

const CLAUSE = 'outcomes'
/** A crowd is one from six accounts on. */
const CROWD = 8

const report = (by: Person, item: string, outcome: 'worked' | 'failed' = 'worked', text?: string) =>
  by.api.library.report({ item, version: '1.0.0', outcome, ...(text !== undefined && { text }) })

const download = async (by: Person, id: string) =>
  void (await (await by.api.library.download({ id, version: '1.0.0' })).bytes())

export const outcomes: Attack[] = [
  {
    name: 'nobody reports on a version without a download of it, nor on an item of their own',
    clause: CLAUSE,
    async run(target) {
      const [owner, other] = [await target.member('alice'), await target.member('bob')]
      const { id } = await publishToAll(owner)
      const without = await refusalOf(report(other, id))
      hold(without?.status === 403, `without a download: ${without?.status ?? 'reported'}`)
      await download(owner, id)
      const own = await refusalOf(report(owner, id))
      hold(own?.status === 403, `of its owner: ${own?.status ?? 'reported'}`)
      await download(other, id)
      await report(other, id)
      return 'refused with 403; taken after a download'
    },
  },
  {
    name: 'one report shows nowhere, and what its reporter wrote is read by publishers alone, without a name',
    clause: CLAUSE,
    async run(target) {
      const [owner, other, admin] = [
        await target.member('alice'),
        await target.member('bob'),
        await target.member('admin'),
      ]
      const { id } = await publishToAll(owner)
      await download(other, id)
      await report(other, id, 'failed', 'It hangs here')
      const { user } = await other.api.library.me()
      const texts = await owner.api.library.outcomeTexts({ id })
      hold(texts.items.length === 1, `${texts.items.length} texts for its owner`)
      const seen = JSON.stringify([
        texts,
        await owner.api.library.get({ id }),
        await owner.api.library.versions({ id }),
      ])
      for (const name of [user.id, user.email, user.username])
        hold(!name || !seen.includes(name), `its owner reads ${name}`)
      hold(!seen.includes('"worked":'), 'one report shows as a figure')
      for (const person of [admin, other]) {
        const refusal = await refusalOf(person.api.library.outcomeTexts({ id }))
        hold(refusal?.status === 403, `texts for others: ${refusal?.status ?? 'read'}`)
      }
      return 'no figure, no name, 403 for others'
    },
  },
  {
    name: 'a crowd of one network does not bring an item before one of which nothing is known',
    clause: CLAUSE,
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.member('alice')
      const [first, second] = [await publishToAll(owner), await publishToAll(owner)]
      for (let n = 0; n < CROWD; n++) {
        const one = await target.newcomer({ network: `198.18.38.${n + 1}` })
        for (const { id } of [first, second]) await download(one, id)
        await report(one, first.id)
      }
      const placesOf = async () => {
        const { items } = await owner.api.library.list({ sort: 'best', scope: 'mine', per_page: 100 })
        return [first, second].map(({ id }) => items.findIndex((item) => item.id === id))
      }
      const [of = -1, other = -1] = await placesOf()
      hold(of > other, `the item of the crowd is at ${of}, before the later one at ${other}`)
      return `${CROWD} accounts moved nothing`
    },
  },
]
