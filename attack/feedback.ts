// Feedback on versions: learning of an item that is not seen by the bugs about it, and closing by a version what is about something else.
import { type Attack, hold, refusalOf } from './attack.ts'
import { BUG, publish, publishToAll, workflow } from './things.ts'

const CLAUSE = 'feedback'

export const feedback: Attack[] = [
  {
    name: 'a private item is not found by the bugs about it, and not told by them',
    clause: CLAUSE,
    async run(target) {
      const [owner, other] = [await target.member('alice'), await target.member('bob')]
      const word = `Geheimfach${Date.now()}`
      const { id, slug } = await publish(owner, 'workflow', workflow({ name: word }))
      const bug = await owner.api.bugs.create({ ...BUG, about: { item: id, version: '1.0.0' } })
      const asked = [id, `workflow/${slug}`].flatMap((item) => [{ item }, { item, version: '1.0.0' }])
      for (const by of asked) {
        const { total } = await other.api.bugs.list(by)
        hold(total === 0, `${total} bugs for ${JSON.stringify(by)}`)
      }
      const seen = JSON.stringify([await other.api.bugs.get({ id: bug.id }), await other.api.bugs.list({})])
      for (const name of [word, slug, id]) hold(!seen.includes(name), `another member reads ${name}`)
      const refusals = await Promise.all(
        [id, 'workflow/no-such-thing'].map((item) =>
          refusalOf(other.api.bugs.create({ ...BUG, about: { item, version: '1.0.0' } })),
        ),
      )
      const [there, not] = refusals.map((refusal) => `${refusal?.status} ${refusal?.message}`)
      hold(there === not, `what is there is refused with ${there}, what is not with ${not}`)
      return 'no bug found, no word told, the same refusal for what is not there'
    },
  },
  {
    name: 'a version closes no bug that is not about its item, nor one of a moderator',
    clause: CLAUSE,
    async run(target) {
      const [owner, other] = [await target.member('alice'), await target.member('bob')]
      const [mine, theirs] = [await publishToAll(owner), await publishToAll(other)]
      const plain = await other.api.bugs.create(BUG)
      const about = await other.api.bugs.create({ ...BUG, about: { item: theirs.id, version: '1.0.0' } })
      for (const { number, id } of [plain, about]) {
        const sent = owner.api.library.publishVersion({
          id: mine.id,
          file: Buffer.from(workflow()),
          closes: `${number}`,
        })
        const refusal = await refusalOf(sent)
        hold(refusal?.status === 400, `a bug about something else: ${refusal?.status ?? 'closed'}`)
        const { status } = await other.api.bugs.get({ id })
        hold(status === 'open', `it is ${status}`)
      }
      const claimed = await refusalOf(owner.api.bugs.edit({ id: plain.id, about: { item: mine.id, version: '1.0.0' } }))
      hold(claimed?.status === 403, `made to be about the own item: ${claimed?.status ?? 'taken'}`)
      const { version } = await owner.api.library.get({ id: mine.id })
      hold(version === '1.0.0', `published ${version} after all`)
      return 'refused with 400, nothing published; 403 for naming the own item on a bug of others'
    },
  },
]
