// A world in which everything that a page shows was written by an attacker: each text would run, ask for something or make an
// element of its own if any page took it for markup.
import type { Account } from '../../src/accounts/sign-in/contract.ts'
import { automationFile, orgFile, workflow, workflowFile } from '../library.ts'
import { oauthClient } from '../oauth.ts'
import { tinyPng } from '../pictures.ts'
import type { World } from '../world.ts'

/** In 30 characters, the least that a field holds. */
export const TINY = `'"><q canary><a/onclick=ran=1>`
/** In 60 characters. */
export const SHORT = `"'><q canary><img/src=/canary onerror=ran=2>`
/** In 100 characters: leaves the element it stands in. */
export const LINE = `</title></textarea></script>"'><q canary><img/src=/canary onerror=ran=3><script>ran=4</script>`
const CONTROLS = 'a\u0001\u0008\u000b\u001f\ufffe\uffff]]>b'
const TAGS =
  '</script></style><!--><q canary><svg/onload=ran=5><iframe srcdoc="<script>parent.ran=6</script>"></iframe>'

/** Markdown that would act in one way or another; in 1,000 characters. */
export const MARKDOWN = [
  TAGS,
  '[a](javascript:ran=7) [b](&#106;avascript:ran=8) [c](data:text/html,x) [d](vbscript:x) <javascript:ran=9>',
  `![e](x"onerror="ran=10) [f](/canary"onclick="ran=11 'canary') [g](https://a.example/"><q canary>)`,
  '<main id="main"><form action="/canary"><button>Sign in</button></form></main><a id="main" name="body">x</a>',
  '<style>*{background:url(/canary)}</style><base href="/canary/"><meta http-equiv=refresh content="0;/canary"><link rel=stylesheet href=/canary>',
  '```"><q canary>\n</code></pre><q canary>\n```',
  '| <q canary> |\n|-|\n| <img src=/canary onerror=ran=12> |',
  '[h]: javascript:ran=13\n[h] <a href="java\tscript:ran=14">i</a> <details open ontoggle=ran=15>',
].join('\n\n')

/** What was made, as paths of pages that show it. */
export interface HostilePages {
  anonymous: string[]
  admin: string[]
  /** The mails that were sent during the run. */
  addresses: string[]
}

/** Fills the world. The writer is called alice; bob is blocked in words, and the admin has an audit log full of them. */
export async function fillHostile(world: World): Promise<HostilePages> {
  const { alice, bob, admin } = world
  const account = await alice.account()
  await alice.profile.setUsername({ username: 'alice' })
  await alice.profile.update({
    name: LINE,
    tagline: LINE,
    jobTitle: SHORT,
    company: SHORT,
    githubUrl: 'https://github.com/"><q/canary>',
    twitterUrl: `https://x.com/'onclick='ran=16`,
    linkedinUrl: 'https://www.linkedin.com/in/"onfocus="ran=19',
    websiteUrl: 'https://a.example/"onmouseover="ran=17',
  })
  await alice.avatars.set({ avatar: await tinyPng() })
  const community = await fillCommunity(world)
  const library = await fillLibrary(world)
  await fillAccount(world, account)
  await bob.account().then(({ id }) => admin.admin.block({ id, blocked: true, reason: LINE }))
  const label = await admin.labels.create({ name: TINY, color: '#123456' })
  await admin.bugs.attachLabel({ id: community.bug, labelId: label.id, reason: LINE })
  await admin.features.setStatus({ id: community.feature, status: 'declined', reason: LINE })
  const anonymous = [...community.pages, ...library, '/community/u/alice', ...listsWith(LINE)]
  return {
    anonymous,
    admin: ['/admin', '/admin/users', `/admin/users?q=${encodeURIComponent(LINE)}`, '/admin/labels', '/admin/audit'],
    addresses: [account.email, (await bob.account()).email],
  }
}

/** Lists, feeds of lists, and pages that repeat what stands in their address. */
function listsWith(text: string): string[] {
  const given = encodeURIComponent(text)
  return [
    ...[
      '/',
      '/community',
      '/community/bugs',
      '/community/features',
      '/community/posts',
      '/community/orgs',
      '/library',
      '/library/workflows',
      '/library/automations',
    ],
    `/community/bugs?q=${given}&label=${given}&status=${given}`,
    `/library?q=${given}&tag=${given}`,
    `/community?type=${given}&sort=${given}&page=${given}`,
    `/sign-in?to=${given}&error=${given}`,
    `/nothing/${given}`,
    `/community/u/${given}`,
    `/api/auth/oauth2/authorize?client_id=${given}&redirect_uri=${given}&state=${given}`,
    `/oauth/consent?client_id=${given}&scope=${given}`,
  ]
}

async function fillCommunity({ alice, admin }: World) {
  const bug = await alice.bugs.create({ title: LINE, description: MARKDOWN.slice(0, 1_000), severity: 'low' })
  const feature = await alice.features.create({ title: LINE, description: MARKDOWN.slice(0, 1_000) })
  const post = await alice.posts.create({ title: LINE, body: MARKDOWN })
  const role = { title: LINE, responsibilities: [LINE, MARKDOWN.slice(0, 200)] }
  const roles = [
    { id: 'lead', reports_to: null, ...role },
    { id: 'second', reports_to: 'lead', ...role },
  ]
  // No XML holds these characters, not even escaped.
  await alice.posts.create({ title: CONTROLS, body: CONTROLS })
  const org = await alice.orgs.create({
    orgJson: await orgFile({
      name: LINE,
      goal: MARKDOWN,
      schedule: LINE,
      roles,
      communication: [{ from: 'lead', to: 'second', type: LINE }],
    }).text(),
  })
  const { url } = await alice.orgImages.add({ id: org.id, image: await tinyPng() })
  await alice.orgs.update({ id: org.id, name: LINE, tagline: LINE, description: LINE, body: MARKDOWN, bannerUrl: url })
  const files = [new File([MARKDOWN], `${SHORT}.md`), new File([MARKDOWN], `${SHORT}.html`)]
  const run = await alice.orgRuns.add({ id: org.id, label: LINE, files })
  const body = MARKDOWN.slice(0, 1_000)
  await alice.bugs.comment({ id: bug.id, body })
  await alice.orgs.comment({ id: org.id, body })
  const [article] = (await alice.blog.list()).items
  await alice.blog.comment({ slug: article!.slug, body })
  const removed = await alice.bugs.create({ title: LINE, description: LINE, severity: 'low' })
  await admin.bugs.delete({ id: removed.id, reason: LINE })
  const orgPage = `/community/orgs/${org.slug}`
  return {
    bug: bug.id,
    feature: feature.id,
    pages: [
      `/community/bugs/${bug.id}`,
      `/community/features/${feature.id}`,
      `/community/posts/${post.id}`,
      orgPage,
      ...run.files.map((file) => `${orgPage}/runs/${run.id}/${file.id}`),
      article!.url,
    ],
  }
}

async function fillLibrary({ alice }: World): Promise<string[]> {
  const node = {
    id: 'n1',
    type: 'trigger.cron',
    name: LINE,
    position: { x: 0, y: 0 },
    disabled: false,
    config: { a: LINE },
    schema: null,
  }
  const step = { ...node, id: 'n2', type: `step.${TINY}` }
  const said = { description: MARKDOWN, visibility: 'public', tags: 'canary' } as const
  const items = await Promise.all([
    alice.library.publish({
      kind: 'workflow',
      file: workflowFile({
        name: LINE,
        description: MARKDOWN,
        nodes: [node, step],
        connections: [{ source: 'n1', source_handle: TINY, target: 'n2' }],
        automations: workflow['automations'] as object,
      }),
      name: LINE,
      ...said,
    }),
    alice.library.publish({
      kind: 'automation',
      file: automationFile({ name: LINE, description: LINE, publisher: { name: LINE } }, [
        { name: 'README.md', data: MARKDOWN },
        { name: "scripts/canary' onclick='ran=18.js", data: MARKDOWN },
      ]),
      name: LINE,
      ...said,
    }),
    alice.library.publish({ kind: 'org', file: orgFile({ name: LINE, goal: MARKDOWN }), name: LINE, ...said }),
  ])
  for (const { id } of items) await alice.library.comment({ id, body: MARKDOWN.slice(0, 1_000) })
  const pages = items.map(({ url }) => new URL(url).pathname)
  const [workflowPage, automationPage] = pages
  const script = encodeURIComponent("canary' onclick='ran=18.js")
  const files = ['README.md', 'automation.json', `scripts/${script}`].map((path) => `${automationPage}/files/${path}`)
  return [...pages, ...files, `${workflowPage}/files`, `${workflowPage}/badge.svg`]
}

/** What the account's own pages show: an app, a passkey, another browser. */
async function fillAccount(world: World, { id, email }: Account): Promise<void> {
  const { alice, db, app, dependencies } = world
  const client = oauthClient(world)
  const clientId = await client.register({ client_name: SHORT })
  await client.signIn(alice, { clientId, scope: 'community:read offline_access' })
  await client.claim(email, 'community:read', clientId)
  const now = new Date().toISOString()
  const columns = (await db.introspection.getTables()).find(({ name }) => name === 'passkey')!.columns
  const given: Record<string, unknown> = { userId: id, name: SHORT, createdAt: now }
  const row = Object.fromEntries(
    columns
      .filter(({ isNullable, name }) => !isNullable || name in given)
      .map(({ name, dataType }) => [name, given[name] ?? (/int/i.test(dataType) ? 0 : 'x')]),
  )
  await db
    .insertInto('passkey')
    .values(row as never)
    .execute()
  const body = JSON.stringify({ email, password: 'alice has a password' })
  const headers = { 'Content-Type': 'application/json', 'User-Agent': LINE }
  await app.fetch(
    new Request(`${dependencies.config.baseUrl}/api/auth/sign-in/email`, { method: 'POST', headers, body }),
  )
}

/** The consent page of a client whose name and address are hostile, as a path. */
export async function hostileConsent(world: World): Promise<string> {
  const client = oauthClient(world)
  const redirectUri = 'https://client.example/"><q/canary>'
  const clientId = await client.register({ client_name: SHORT, redirect_uris: [redirectUri] })
  const state = LINE
  return `/api/auth/oauth2/authorize?${client.request({ clientId, redirectUri, more: { state } }, client.newVerifier())}`
}
