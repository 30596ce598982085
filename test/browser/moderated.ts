// What moderators did in a living instance.
import { required } from '../../src/runtime/untyped.ts'
import type { Site } from './site.ts'

/** The page of a case with reports and an act. */
export async function openedCase({ world }: Site): Promise<string> {
  const { anonymous, alice, bob, moderator } = world
  const [post] = (await anonymous.posts.list({ sort: 'popular', per_page: 1 })).items
  const report = { targetType: 'post', targetId: required(post).id } as const
  await alice.reports.create({ ...report, reason: 'spam', text: 'The same text is in five places, word by word.' })
  await bob.reports.create({ ...report, reason: 'off_topic' })
  const [waiting] = (await moderator.moderation.cases({})).items
  const { id } = required(waiting)
  await moderator.moderation.decide({ id, action: 'warn', rule: 'off_topic', reason: 'Too far from the topic.' })
  await alice.reports.create({ ...report, reason: 'other' })
  const [again] = (await moderator.moderation.cases({})).items
  return `/admin/cases/${required(again).id}`
}

/** The page of an appeal of a blocked account. */
export async function openedAppeal({ world }: Site): Promise<string> {
  const { db, mails, moderator, person } = world
  const blocked = person('blocked')
  const { id } = await blocked.account()
  await db.updateTable('user').set({ emailVerifiedAt: new Date().toISOString() }).where('id', '=', id).execute()
  await moderator.admin.block({ id, blocked: true, reason: 'The same text is in five places, word by word.' })
  const [appeal] = required((await mails(blocked.email)).at(-1)).body.match(/\/appeal\?token=\S+/) ?? []
  return required(appeal)
}

/** The page of a case about a post that its author edited between two reports, and then deleted. */
export async function openedEvidence({ world }: Site): Promise<string> {
  const { alice, bob, moderator, person } = world
  const title = 'Watches of the best makers, from 9.90'
  const { id } = await bob.posts.create({ title, body: 'Write to **sales** today:\n\n- one\n- two' })
  const report = { targetType: 'post', targetId: id, reason: 'spam' } as const
  await alice.reports.create({ ...report, text: 'The same text is in five places, word by word.' })
  await bob.posts.edit({ id, title: 'Watches', body: 'A post about watches. Write to sales.' })
  await person('reader').reports.create({ ...report, text: 'It was worse before.' })
  await bob.posts.delete({ id })
  const { items } = await moderator.moderation.cases({})
  return `/admin/cases/${required(items.find(({ target }) => target.id === id)).id}`
}
