// Pictures of texts, whose addresses their readers keep: what is hidden or private takes along what was said beneath it.
import { tinyPng } from '../test/pictures.ts'
import { type Attack, hold, holdEach } from './attack.ts'
import type { Person } from './person.ts'
import { BUG, publishToAll } from './things.ts'

const picture = async ({ api }: Person) => (await api.textImages.add({ image: await tinyPng() })).url

export const pictures: Attack[] = [
  {
    name: 'a picture of a comment is gone with what the comment is on, whoever kept its address',
    clause: 'access',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const [author, reader] = [await target.verified(), await target.verified()]
      const moderator = await target.withRole('moderator')
      const [onBug, onItem] = [await picture(reader), await picture(reader)]
      const bug = await author.api.bugs.create({ ...BUG, title: `Pictured ${Date.now()}` })
      await reader.api.bugs.comment({ id: bug.id, body: `![a](${onBug})` })
      const item = await publishToAll(author, { name: `Pictured ${Date.now()}` })
      await reader.api.library.comment({ id: item.id, body: `![a](${onItem})` })
      const statusOf = async (path: string) => (await target.anonymous().send({ method: 'GET', path })).status
      for (const path of [onBug, onItem]) hold((await statusOf(path)) === 200, 'a picture is not there at first')
      await reader.api.reports.create({ targetType: 'bug', targetId: bug.id, reason: 'spam' })
      const { items } = await moderator.api.moderation.cases({ type: 'bug', per_page: 100 })
      const { id } = items.find(({ target: { id: about } }) => about === bug.id)!
      await moderator.api.moderation.decide({ id, action: 'hide', rule: 'spam', reason: 'Look' })
      await author.api.library.update({ id: item.id, visibility: 'private' })
      return holdEach([onBug, onItem], String, async (path) => {
        hold((await statusOf(path)) === 404, 'it is still sent')
      })
    },
  },
]
