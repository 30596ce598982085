// Threat 3: one request that stops the process for others, or fills its memory: forms, parts, searches and Markdown.
import { type Attack, hold, holdEach } from './attack.ts'
import { FORM } from './person.ts'
import { addRun, makeOrg } from './things.ts'
import { callTool, MEBIBYTE, refused, stopping } from './watch.ts'

/** A multipart body of many empty parts; as small as parts can be. */
function manyParts(count: number): { headers: Record<string, string>; body: Buffer } {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
  return {
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: Buffer.from(`${part.repeat(count)}--b--\r\n`),
  }
}

/** Texts that are slow to parse for one Markdown parser or another. */
const markdowns: Record<string, (size: number) => string> = {
  brackets: (size) => '['.repeat(size),
  links: (size) => '[a](b'.repeat(size / 5),
  emphasis: (size) => '*a_ '.repeat(size / 4),
  'emphasis of both kinds': (size) => '**x*y '.repeat(size / 6),
  quotes: (size) => '> '.repeat(size / 2),
  lists: (size) => '- '.repeat(size / 2),
  backticks: (size) =>
    Array.from({ length: Math.floor(Math.sqrt(size * 2)) }, (_, n) => '`'.repeat(n))
      .join(' ')
      .slice(0, size),
  entities: (size) => '&#x41;'.repeat(size / 6),
  table: (size) => `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${`${'|x'.repeat(200)}|\n`.repeat(size / 402)}`,
  html: (size) => '<a href="x">'.repeat(size / 12),
  'html that does not end': (size) => '<!-- '.repeat(size / 5),
  addresses: (size) => 'www.a.b/(('.repeat(size / 10),
  'lines of code': (size) => `\`\`\`ts\n${'const a = { b: [1, "c", `d`] }\n'.repeat(size / 32)}\`\`\`\n`,
  'one word': (size) => 'a'.repeat(size),
  references: (size) => '[a]: b\n'.repeat(size / 7),
}

export const parsing: Attack[] = [
  stopping('a tool call that searches with 4 MB', async (target) => {
    const client = target.anonymous()
    const given = { query: 'delete comment '.repeat(MEBIBYTE / 4), q: 'x'.repeat(MEBIBYTE) }
    return holdEach(['find_operation', 'list_library_items', 'get_feed'], String, async (name) =>
      hold((await callTool(client, name, given)).status < 500, 'a fault'),
    )
  }),
  stopping('a form of 23 MB', async (_target, alice) =>
    holdEach(
      ['/sign-in?/password', '/library/upload', '/settings?/profile', '/community/orgs/new', '/vote'],
      String,
      async (path) => refused(await alice.post(path, 'a=b&'.repeat((23 * MEBIBYTE) / 4), FORM), path),
    ),
  ),
  stopping('a form without a length', async (_target, alice) =>
    refused(
      await alice.post('/sign-in?/password', 'a=b&'.repeat(MEBIBYTE), { ...FORM, 'Transfer-Encoding': 'chunked' }),
      'chunked',
    ),
  ),
  stopping('330,000 parts in one body', async (_target, alice) => {
    const { id } = await makeOrg(alice)
    return holdEach(
      [
        `/api/community/orgs/${id}/runs`,
        '/api/library/items',
        '/api/community/profile/avatar',
        '/library/upload',
        '/settings?/avatar',
      ],
      String,
      async (path) => refused(await alice.send({ method: 'POST', path, ...manyParts(330_000) }), path),
    )
  }),
  stopping('a multipart body whose headers never end', async (_target, alice) => {
    const body = Buffer.from(`--b\r\nContent-Disposition: form-data; name="a"; ${'x'.repeat(4 * MEBIBYTE)}`)
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
    return refused(await alice.send({ method: 'POST', path: '/api/library/items', headers, body }), 'endless headers')
  }),
  stopping('Markdown that is slow to parse, as a file of a run', async (_target, alice) => {
    const { id, slug } = await makeOrg(alice, { name: `Slow ${Date.now()}` })
    return holdEach(Object.keys(markdowns), String, async (kind) => {
      const { runId, fileId } = await addRun(alice, id, { 'a.md': markdowns[kind]!(100_000) })
      const reply = await alice.get(`/community/orgs/${slug}/runs/${runId}/${fileId}`, { Accept: 'text/html' })
      hold(reply.status < 500, `${reply.status}`)
    })
  }),
  stopping('Markdown of 2 MB as a file of a run', async (_target, alice) => {
    const { id, slug } = await makeOrg(alice, { name: `Long ${Date.now()}` })
    const { runId, fileId } = await addRun(alice, id, { 'a.md': '*a* [b](c) `d`\n\n'.repeat(130_000) })
    const reply = await alice.get(`/community/orgs/${slug}/runs/${runId}/${fileId}`, { Accept: 'text/html' })
    hold(reply.status < 500, `${reply.status}`)
    return `its page: ${reply.status} in ${Math.round(reply.milliseconds)} ms`
  }),
  stopping('Markdown in the preview', async (_target, alice) =>
    holdEach(Object.keys(markdowns), String, async (kind) => {
      const reply = await alice.post('/preview', markdowns[kind]!(19_000), { 'Content-Type': 'text/plain' })
      hold(reply.status < 500, `${reply.status}`)
    }),
  ),
]
