// What people do while it is recorded: uploads, runs, pictures, mails and votes. Every response that acknowledges a write is noted with
// how long the recording was then: after any later power cut the write must be there.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { api } from '../src/api.ts'
import { connect } from '../src/surfaces/client.ts'
import { CookieJar } from '../test/cookies.ts'
import { workflowFile } from '../test/library.ts'
import { onePixelDeepPng, tinyPng } from '../test/pictures.ts'

/** A row that is there from then on: its table and values of its columns. */
export interface Acknowledged {
  /** The length of the recording, in bytes. */
  at: number
  what: string
  table: string
  row: Record<string, string | number>
}

const sha256 = async (file: Blob) =>
  createHash('sha256')
    .update(await file.bytes())
    .digest('hex')
const LONG = 'One of the words that are searched for. '.repeat(45)

/** Several people work at once on the server at this address, `rounds` times each; `run` tells them from those of another run. */
export async function work(
  baseUrl: string,
  recording: string,
  { run, rounds }: { run: number; rounds: number },
): Promise<Acknowledged[]> {
  const noted: Acknowledged[] = []
  const note = (what: string, table: string, row: Acknowledged['row']) =>
    void noted.push({ at: statSync(recording).size, what, table, row })
  const people = Array.from({ length: 4 }, (_, index) =>
    actAs({ baseUrl, name: `person-${run}-${index}`, rounds, note }),
  )
  await Promise.all(
    people.map(async (starting) => {
      const act = await starting
      for (let round = 0; round < rounds; round++) await act(round)
    }),
  )
  return noted
}

interface Actor {
  baseUrl: string
  name: string
  rounds: number
  note(what: string, table: string, row: Acknowledged['row']): void
}

/** Signs up, and returns what a person does in a round. */
async function actAs({ baseUrl, name, rounds, note }: Actor): Promise<(round: number) => Promise<void>> {
  const cookies = new CookieJar()
  const send = async (request: Request): Promise<Response> => {
    const response = cookies.take(await fetch(cookies.give(request.clone())))
    if (response.status !== 503) return response
    // A busy machine sheds load.
    await setTimeout(500)
    return send(request)
  }
  const client = connect(api, { baseUrl, fetch: send })
  const email = `${name}@example.com`
  const { user } = await client.accounts.signUp({ name, email, password: `${name} has a password` })
  note('an account', 'user', { id: user.id })
  const definition = { name: `Org of ${name}`, roles: [{ id: 'solo' }] }
  const org = await client.orgs.create({ orgJson: JSON.stringify(definition) })
  note('an org', 'orgUpload', { id: org.id })

  return async (round) => {
    const first = workflowFile({ name: `${name} ${round}` })
    const item = await client.library.publish({ kind: 'workflow', visibility: 'public', version: '1.0.0', file: first })
    note('a publication', 'itemVersion', { itemId: item.id, version: '1.0.0', sha256: await sha256(first) })
    const second = workflowFile({ name: `${name} ${round} again` })
    await client.library.publishVersion({ id: item.id, version: '2.0.0', file: second })
    note('a publication', 'itemVersion', { itemId: item.id, version: '2.0.0', sha256: await sha256(second) })
    const files = [new File([`# ${name} ${round}`], 'a.md'), new File([LONG], 'b.md')]
    const run = await client.orgRuns.add({ id: org.id, files })
    for (const { id } of run.files) note('a file of a run', 'orgRunFile', { id })
    const { url } = await client.orgImages.add({ id: org.id, image: await tinyPng() })
    note('a picture', 'orgImage', { id: url.split('/').at(-1)! })
    await client.avatars.set({ avatar: onePixelDeepPng(8 + round, 8) })
    if (round === rounds - 1) {
      const picture = await (await client.avatars.show({ userId: user.id })).blob()
      note('a picture', 'user', { id: user.id, avatarSha256: await sha256(picture) })
    }
    const bug = await client.bugs.create({ title: `${name} ${round}`, description: 'As it was.', severity: 'low' })
    note('a bug', 'bug', { id: bug.id })
    await client.bugs.vote({ id: bug.id, value: 1 })
    const post = await client.posts.create({ title: `${name} ${round}`, body: LONG })
    note('a post', 'post', { id: post.id })
    note('a vote', 'vote', { targetId: bug.id, userId: user.id, value: 1 })
    await client.accounts.sendCode({ email })
  }
}
