// The GitHub of our tests answers as GitHub does: asked by octokit, GitHub's own client.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Octokit } from '@octokit/rest'
import { FakeGitHub } from './github.ts'

const github = await new FakeGitHub().start()
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const octokit = new Octokit({ auth: github.tokenOf('bot'), baseUrl: github.url, log: silent, request: { retries: 0 } })
const place = { owner: 'acme', repo: 'looms' }

it('Issues are made, changed, listed by pages and by their last change, and closed with a reason', async () => {
  const { data: made, status } = await octokit.rest.issues.create({
    ...place,
    title: 'One',
    body: 'Text',
    labels: ['mail'],
  })
  assert.deepEqual([status, made.number, made.user?.login, made.state], [201, 1, 'bot', 'open'])
  for (let number = 2; number <= 35; number++) github.act('octocat').open(`No. ${number}`)
  const all = await octokit.paginate(octokit.rest.issues.listForRepo, { ...place, state: 'all', per_page: 10 })
  assert.equal(all.length, 35)
  const { data: closed } = await octokit.rest.issues.update({
    ...place,
    issue_number: 1,
    state: 'closed',
    state_reason: 'not_planned',
  })
  assert.deepEqual([closed.state, closed.state_reason], ['closed', 'not_planned'])
  const since = new Date(Date.now() + 60_000).toISOString()
  assert.deepEqual((await octokit.rest.issues.listForRepo({ ...place, state: 'all', since })).data, [])
  const own = await octokit.rest.issues.listForRepo({ ...place, state: 'all', creator: 'bot' })
  assert.deepEqual(
    own.data.map(({ number }) => number),
    [1],
  )
  await assert.rejects(octokit.rest.issues.create({ ...place, title: '' }), { status: 422 })
  await assert.rejects(octokit.rest.issues.get({ ...place, issue_number: 99 }), { status: 404 })
})

it('Comments, labels and events are those of an issue', async () => {
  const on = { ...place, issue_number: 2 }
  const { data: comment } = await octokit.rest.issues.createComment({ ...on, body: 'First' })
  await octokit.rest.issues.updateComment({ ...place, comment_id: comment.id, body: 'Second' })
  assert.deepEqual(
    (await octokit.rest.issues.listComments(on)).data.map(({ body }) => body),
    ['Second'],
  )
  assert.deepEqual(
    (await octokit.rest.issues.listCommentsForRepo(place)).data.map(({ id }) => id),
    [comment.id],
  )
  await octokit.rest.issues.createLabel({ ...place, name: 'trays', color: '336699' })
  await assert.rejects(octokit.rest.issues.createLabel({ ...place, name: 'Trays', color: '336699' }), { status: 422 })
  await octokit.rest.issues.addLabels({ ...on, labels: ['trays'] })
  await octokit.rest.issues.removeLabel({ ...on, name: 'trays' })
  await assert.rejects(octokit.rest.issues.removeLabel({ ...on, name: 'trays' }), { status: 404 })
  await octokit.rest.issues.update({ ...on, title: 'Two' })
  const { data: events } = await octokit.rest.issues.listEvents(on)
  assert.deepEqual(
    events.map(({ event, actor }) => [event, actor?.login]),
    [
      ['labeled', 'bot'],
      ['unlabeled', 'bot'],
      ['renamed', 'bot'],
    ],
  )
  await octokit.rest.issues.deleteComment({ ...place, comment_id: comment.id })
  await assert.rejects(octokit.rest.issues.getComment({ ...place, comment_id: comment.id }), { status: 404 })
})

it('Who asks is known by a token, what did not change is 304, and too many requests are refused as GitHub does', async () => {
  assert.equal((await octokit.rest.users.getAuthenticated()).data.login, 'bot')
  assert.equal((await octokit.rest.users.getByUsername({ username: 'octocat' })).data.login, 'octocat')
  const { headers } = await octokit.rest.issues.get({ ...place, issue_number: 3 })
  await assert.rejects(
    octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
      ...place,
      issue_number: 3,
      headers: { 'if-none-match': headers.etag },
    }),
    { status: 304 },
  )
  await assert.rejects(new Octokit({ auth: 'wrong', baseUrl: github.url, log: silent }).rest.users.getAuthenticated(), {
    status: 401,
  })
  github.limited = { kind: 'primary', seconds: 30 }
  await assert.rejects(
    octokit.rest.users.getAuthenticated(),
    (error: { status: number; response: { headers: Record<string, string> } }) => {
      return error.status === 403 && error.response.headers['x-ratelimit-remaining'] === '0'
    },
  )
  github.limited = undefined
})
