// Threat 1: what a member stored comes back as a page that acts. Paths that mean another path, answers that are taken for pages.
import { file as filePart } from '../test/multipart.ts'
import { type Attack, hold, holdEach, holdRefused, holdStatus, Skipped, shown } from './attack.ts'
import { statusOf } from './request.ts'
import type { Target } from './target.ts'
import { addRun, makeOrg, orgJson, setAvatar } from './things.ts'

const CLAUSE = '1 stored HTML'

const PAGE = '<main id="main"><form method=post action="/admin/users?/role"><button>Sign in</button></form></main>'

async function runFile(target: Target, name = 'page.html', content = PAGE): Promise<string> {
  const alice = await target.member('alice')
  const { id } = await makeOrg(alice)
  const { fileId } = await addRun(alice, id, { [name]: content })
  return `/api/community/org-run-files/${fileId}`
}

const encoded = [
  '/%61pi/community/bugs',
  '/api/c%6fmmunity/bugs',
  '/%61%70%69/community/bugs',
  '/api/community/%62ugs',
  '/%7Euser',
]
const misleading = [
  '/api/./community/bugs',
  '/api/../api/community/bugs',
  '/api/%2e/community/bugs',
  '/api/%2e%2e/api/community/bugs',
  '/api/%2E%2e/community/bugs',
  '/api//community/bugs',
  '//api/community/bugs',
  '/api\\community\\bugs',
  '/api%5ccommunity%5cbugs',
  '/..\\..\\etc\\passwd',
  '/community/bugs/..',
  '/community/.%2e/bugs',
  '/community/;/../bugs/./x',
]

const odd = (path: string) => /%(?:2d|2e|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/i.test(path)

export const storedHtml: Attack[] = [
  {
    name: 'an encoded path is not another way to the same thing',
    clause: CLAUSE,
    run: (target) =>
      holdEach(encoded, String, async (path) => {
        const read = await target.send({ path })
        holdStatus(read, [308], `GET ${path}`)
        hold(!odd(read.headers.location ?? ''), `sent on to ${read.headers.location}`)
        hold(!read.headers.location?.startsWith('//'), `sent on to ${read.headers.location}`)
        holdStatus(await target.send({ path, method: 'HEAD' }), [308], `HEAD ${path}`)
        const body = '{}'
        const headers = { 'Content-Type': 'application/json' }
        holdStatus(await target.send({ path, method: 'POST', headers, body }), [400], `POST ${path}`)
      }),
  },
  {
    name: 'dots, empty segments and backslashes are refused',
    clause: CLAUSE,
    run: (target) =>
      holdEach(misleading, String, async (path) => {
        for (const method of ['GET', 'POST', 'HEAD']) {
          const received = await target.bytes(
            `${method} ${path} HTTP/1.1\r\nHost: ${new URL(target.origin).host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
          )
          hold(statusOf(received) === 400, `${method} ${path}: ${received.slice(0, 60)}`)
        }
      }),
  },
  {
    name: 'a target that is not a path is refused',
    clause: CLAUSE,
    run: (target) =>
      holdEach(
        ['http://evil.example/feed.atom', 'https://evil.example/api/community/bugs', '*', 'feed.atom', '?a'],
        String,
        async (path) => {
          const received = await target.bytes(
            `GET ${path} HTTP/1.1\r\nHost: ${new URL(target.origin).host}\r\nConnection: close\r\n\r\n`,
          )
          hold([400, 404, 0].includes(statusOf(received)), `${path}: ${received.slice(0, 60)}`)
          hold(!received.includes('evil.example'), `${path} is repeated in the answer`)
        },
      ),
  },
  {
    name: 'a file of a run is sandboxed, by each path that reaches it',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const path = await runFile(target)
      const paths = [
        path,
        path.replace('/api', '/%61pi'),
        path.replace('org-run', 'org%2drun'),
        `${path}?x=.html`,
        `${path}/`,
      ]
      return holdEach(paths, String, async (tried) => {
        const reply = await target.send({ path: tried })
        if (reply.status !== 200) return holdStatus(reply, [302, 308, 400, 404], tried)
        const policy = String(reply.headers['content-security-policy'])
        hold(/(^|;)\s*sandbox\s*(;|$)/.test(policy) && policy.includes("default-src 'none'"), `policy: ${policy}`)
        hold(reply.headers['x-content-type-options'] === 'nosniff', 'no nosniff')
      })
    },
  },
  {
    name: 'HTML in a Markdown file, a picture or an org definition is not served as HTML',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const markdown = await runFile(target, 'page.md')
      const { id } = await makeOrg(alice, { goal: PAGE })
      await setAvatar(alice)
      const me = await alice.api.profile.me()
      return holdEach(
        [markdown, `/api/community/orgs/${id}/definition`, String(me.avatarUrl)],
        String,
        async (path) => {
          const reply = await target.send({ path })
          if ([302, 307, 308].includes(reply.status)) return
          holdStatus(reply, [200], path)
          hold(!/html|svg|xml/.test(String(reply.headers['content-type'])), `type ${reply.headers['content-type']}`)
          hold(reply.headers['x-content-type-options'] === 'nosniff', 'no nosniff')
        },
      )
    },
  },
  {
    name: 'a picture that is HTML or SVG is refused',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
      return holdEach(
        [PAGE, svg, `GIF89a${PAGE}`, `%PDF-1.4 ${PAGE}`],
        (text) => text.slice(0, 20),
        (content) => holdRefused(setAvatar(alice, new Blob([content], { type: 'image/png' })), [400], 'as a picture'),
      )
    },
  },
  {
    name: 'pages of the site have a policy with Trusted Types and run no script but their own',
    clause: CLAUSE,
    run: (target) =>
      holdEach(['/', '/community', '/sign-in', '/library', '/docs'], String, async (path) => {
        const reply = await target.send({ path, headers: { Accept: 'text/html' } })
        const policy = String(reply.headers['content-security-policy'])
        const wanted = [
          "require-trusted-types-for 'script'",
          "default-src 'none'",
          "frame-ancestors 'none'",
          'form-action',
          'base-uri',
        ]
        for (const rule of wanted) hold(policy.includes(rule), `no ${rule} in: ${policy}`)
        hold(!/script-src[^;]*('unsafe|\*|https?:|data:)/.test(policy), `script-src is open: ${policy}`)
        hold(reply.headers['x-content-type-options'] === 'nosniff', 'no nosniff')
      }),
  },
  {
    name: 'an answer that is no page of the site cannot pass for one',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const file = await target.send({ path: await runFile(target) })
      const page = await target.send({ path: '/sign-in', headers: { Accept: 'text/html' } })
      const api = await target.send({ path: '/api/community/bugs' })
      const own = Object.keys(page.headers).filter((name) => name.startsWith('x-') && !(name in api.headers))
      const marks = own.filter((name) => !['x-frame-options', 'x-content-type-options', 'x-request-id'].includes(name))
      hold(marks.length > 0, `no header tells a page from other answers: ${Object.keys(page.headers).join(', ')}`)
      for (const mark of marks) hold(!(mark in file.headers), `a member's file has ${mark} too`)
      const alice = await target.member('alice')
      const { id } = await makeOrg(alice)
      const name = `a.html"\r\n${marks[0]}: 1\r\nx: ".html`
      const run = await alice.upload(`/api/community/orgs/${id}/runs`, [filePart('files', name, PAGE)])
      if (run.status !== 201) return `${marks.join(', ')} is on pages alone; a name with line breaks is refused`
      const { files } = run.json() as { files: { id: string }[] }
      const reply = await target.send({ path: `/api/community/org-run-files/${files[0]?.id}` })
      for (const mark of marks) hold(!(mark in reply.headers), `a file name brings ${mark} along`)
      return `${marks.join(', ')} is on pages alone`
    },
  },
  {
    name: 'keys of stored files lead to nothing else',
    clause: CLAUSE,
    run: (target) =>
      holdEach(
        [
          '/api/images/org/..%2f..%2fguildhall.db',
          '/api/images/org/%2e%2e%2fguildhall.db',
          '/api/images/avatar/avatars/..%2f..%2fkeys',
          '/api/images/org/org-runs%2f1',
          '/api/community/org-run-files/..%2F..%2Fguildhall.db',
          '/%2e%2e/%2e%2e/etc/passwd',
          '/_app/immutable/..%2f..%2f..%2fpackage.json',
          '/.env',
          '/.git/config',
          '/package.json',
          '/src/main.ts',
          '/data/guildhall.db',
        ],
        String,
        async (path) => {
          const reply = await target.send({ path })
          holdStatus(reply, [400, 404, 308], path)
          hold(!/root:|SQLite format|"dependencies"/.test(reply.text), 'a file came')
        },
      ),
  },
  {
    name: 'on the site a file of a member is shown by a page, never as one',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const { slug, id } = await makeOrg(alice, { name: `Desk ${Date.now()}` })
      const { runId, fileId } = await addRun(alice, id, { 'page.html': `${PAGE}<script>x</script>` })
      const reply = await alice.get(`/community/orgs/${slug}/runs/${runId}/${fileId}`, { Accept: 'text/html' })
      if (reply.status === 404) throw new Skipped(`no page for it: ${shown(reply)}`)
      holdStatus(reply, [200], 'the page of the file')
      hold(!reply.text.includes('action="/admin/users?/role"'), 'the form of the file is in the page')
      hold(/<iframe[^>]+sandbox/.test(reply.text) || !reply.text.includes('<iframe'), 'a frame without sandbox')
      return 'shown in a sandboxed frame, or not at all'
    },
  },
  {
    name: 'the origin of the files has files and nothing else',
    clause: CLAUSE,
    limited: true,
    needs: ['files'],
    async run(target) {
      const filesUrl = target.own.environment['FILES_URL']!
      const alice = await target.member('alice')
      const path = await runFile(target)
      const opened = await alice.get(path, { 'Sec-Fetch-Dest': 'document' })
      holdStatus(opened, [301, 302, 303, 307, 308], 'a file that is opened')
      hold(opened.headers.location === filesUrl + path, `leads to ${opened.headers.location}`)
      const Host = new URL(filesUrl).host
      const file = await alice.get(path, { Host })
      holdStatus(file, [200], 'the file at its own origin')
      hold(/(^|;)\s*sandbox\s*(;|$)/.test(String(file.headers['content-security-policy'])), 'no sandbox there')
      return holdEach(
        ['/', '/sign-in', '/settings', '/api/community/me', '/api/auth/get-session', '/oauth/consent', '/api/mcp'],
        String,
        async (other) => {
          const read = await alice.get(other, { Host })
          hold(read.status >= 400 && read.cookies.length === 0, `${other}: ${read.status}`)
          const { email, password } = alice
          const written = await alice.post('/api/auth/sign-in/email', { email, password }, { Host })
          hold(written.status >= 400 && written.cookies.length === 0, `it signs in there: ${written.status}`)
        },
      )
    },
  },
  {
    name: 'an org definition that is not one is refused',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const bad = ['[]', 'null', '"x"', '{"__proto__":{"name":"x"}}', orgJson().replace('"roles":[', '"roles":[null,')]
      return holdEach(bad, String, (text) => holdRefused(alice.api.orgs.create({ orgJson: text }), [400], 'as an org'))
    },
  },
]
