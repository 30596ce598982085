// The docs of the API on the site: the language of code is remembered, each code of an error has a page, and a call can be tried.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { api, areas } from '../src/api.ts'
import { statusOf } from '../src/contract/problem.ts'
import { describeProblems } from '../src/surfaces/reference/problems.ts'
import { onEveryEngine } from './world.ts'

const problems = describeProblems(api, areas)

plainIt('each code that an operation may answer with is described, once', () => {
  const codes = problems.map(({ code }) => code)
  assert.equal(new Set(codes).size, codes.length)
  for (const code of Object.keys(statusOf)) assert.ok(codes.includes(code), code)
  for (const { code, meaning, remedy } of problems) assert.ok(/\.$/.test(meaning) && /\.$/.test(remedy), code)
})

plainIt('a body of each area is what that area answers', () => {
  const of = (code: string, area: string) =>
    JSON.parse(problems.find((one) => one.code === code)?.examples.find((one) => one.area === area)?.body ?? 'null')
  assert.deepEqual(Object.keys(of('not_found', 'community')), ['error'])
  assert.equal(of('not_found', 'library').error.code, 'not_found')
  assert.equal(of('invalid_grant', 'oauth').error, 'invalid_grant')
  assert.equal(of('version_conflict', 'community'), null)
})

onEveryEngine('the docs of the API', (it) => {
  it('remember the language of code that a reader chose', async ({ anonymous }) => {
    const page = async (path: string, cookie = '') => {
      const response = await anonymous.request(path, { headers: { Cookie: cookie } })
      return { text: await response.text(), cookie: response.headers.get('set-cookie') ?? '' }
    }
    const plain = await page('/docs/reference/bugs')
    assert.match(plain.text, /curl/)
    assert.equal(plain.cookie, '')
    const chosen = await page('/docs/reference/bugs?code=typescript')
    assert.match(chosen.cookie, /^code=typescript; Max-Age=31536000; Path=\/docs; HttpOnly/)
    assert.match((await page('/docs/reference/posts', 'code=typescript')).text, /\bawait\b/)
    assert.equal((await page('/docs/reference/bugs?code=cobol')).cookie, '')
    assert.doesNotMatch((await page('/docs/reference/bugs', 'code=cobol')).text, /\bawait\b/)
  })

  it('have a page for each code, and none for others', async ({ anonymous }) => {
    const limited = await (await anonymous.request('/docs/errors/rate_limited')).text()
    assert.match(limited, /Retry-After/)
    assert.match(limited, /href="\/docs\/reference\/bugs#bugs.create"/)
    assert.equal((await anonymous.request('/docs/errors/authorization_pending')).status, 200)
    assert.equal((await anonymous.request('/docs/errors/nonsense')).status, 404)
  })

  it('have a form that tries each call a token can make', async ({ anonymous }) => {
    const bugs = await (await anonymous.request('/docs/reference/bugs')).text()
    assert.match(bugs, /data-trial="POST" data-path="\/api\/community\/bugs"/)
    assert.match(bugs, /name="path\.id"/)
    const sessions = await (await anonymous.request('/docs/reference/drafts')).text()
    assert.doesNotMatch(sessions, /data-trial/)
  })

  it('are English where they are for operators, and say so', async ({ anonymous }) => {
    const page = await (await anonymous.request('/docs/backups', { headers: { 'Accept-Language': 'de' } })).text()
    assert.match(page, /Diese Seite ist auf Englisch\./)
    assert.match(page, /<h1 lang="en">Backups/)
    const guide = await (await anonymous.request('/docs/start', { headers: { 'Accept-Language': 'de' } })).text()
    assert.match(guide, /<h1>Hier anfangen/)
  })
})
