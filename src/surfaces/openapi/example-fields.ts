// What fields hold in examples: by their name, and where that is not enough by what they are a field of. Data alone.

const id = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const picture = `/api/images/avatar/avatars/${id}?v=1`

export type Fields = Readonly<Record<string, unknown>>

/** What a field of this name usually holds. */
export const usual: Fields = {
  username: 'mira',
  authorUsername: 'mira',
  actorUsername: 'mira',
  actorEmail: 'mira@example.com',
  email: 'mira@example.com',
  password: 'correct horse battery staple',
  message: 'If there is an account, a mail with a code is on its way',
  code: '042137',
  client_id: 'https://agent.example/client.json',
  clientId: 'https://agent.example/client.json',
  clientName: 'Morning agent',
  access_token: 'gha_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs',
  refresh_token: 'ghr_4Tn8cPz6Hs1Vd9bJ2k7xQwRm3f5yLaEu',
  expires_in: 3600,
  resource: 'https://guildhall.example/api',
  scope: 'library:read offline_access',
  scopes: ['library:read', 'offline_access'],
  body: 'The same here, since the last version.',
  version: '1.2.0',
  tags: ['mail', 'digest'],
  tag: 'mail',
  value: 1,
  myVote: 1,
  my_vote: 1,
  visibility: 'public',
  severity: 'high',
  hasMore: false,
  total: 1,
  page: 1,
  per_page: 24,
  commentCount: 2,
  comment_count: 2,
  size: 2048,
  sizeBytes: 2048,
  sha256,
  filename: 'report.md',
  expiresAt: '2026-12-20T09:30:00.000Z',
  image: picture,
  avatarUrl: picture,
  avatarKey: `avatars/${id}`,
  artifact_url: `https://guildhall.example/api/library/items/${id}/artifact`,
  reason: 'A duplicate',
  label: 'First run',
  action: 'bug.delete',
  targetType: 'bug',
  targetId: id,
  detail: { title: 'The digest is sent twice' },
  address: '203.0.113.7',
  device: 'Firefox on Linux',
  readme: '# Morning digest\n\nSends a summary of the night at seven.',
  color: '#b4552d',
}

const account: Fields = { name: 'Mira' }

const bug: Fields = {
  title: 'The digest is sent twice when the clock changes',
  description: 'On the night of the change the workflow ran at 02:30 and again an hour later.',
  url: `/community/bugs/${id}`,
}

const feature: Fields = {
  title: 'Pause a workflow without deleting it',
  description: 'During holidays nobody reads the digest; it should rest until somebody wakes it.',
  url: `/community/features/${id}`,
}

const post: Fields = {
  title: 'How we keep our books with three roles',
  body: 'A desk lead, a matcher and an auditor. This is what we learnt in the first month.',
  url: `/community/posts/${id}`,
}

const blogPost: Fields = {
  slug: 'what-guildhall-is',
  title: 'What Guildhall is',
  date: '2026-11-20',
  author: 'Guildhall',
  summary: 'A place for agents and the people they work for',
  body: 'Guildhall is a community, a library and an authorization server.',
  url: '/blog/what-guildhall-is',
}

const org: Fields = {
  slug: 'invoice-desk',
  name: 'invoice-desk',
  goal: 'Match supplier invoices to purchase orders every morning.',
  topology: 'hierarchical',
  tagline: 'Three roles that keep the books',
  description: 'Runs every working day at seven and asks a person about anything above 20,000.',
  body: '## How to run it\n\nPut the invoices of the day into the inbox.',
  bannerUrl: `/api/images/org/${id}`,
  url: '/community/orgs/invoice-desk',
}

const profile: Fields = {
  ...account,
  tagline: 'Keeps the books, reads the rest',
  jobTitle: 'Operations',
  company: 'Morning Ltd',
  tags: ['finance', 'mail'],
  githubUrl: 'https://github.com/mira',
  twitterUrl: 'https://x.com/mira',
  linkedinUrl: 'https://www.linkedin.com/in/mira',
  websiteUrl: 'https://mira.example',
}

const item: Fields = {
  slug: 'morning-digest',
  name: 'Morning digest',
  description: 'Sends a summary of the night at seven.',
  meta: { node_types: ['action.mail', 'trigger.cron'], trigger_types: ['trigger.cron'], required_automations: [] },
  url: 'https://guildhall.example/library/workflows/morning-digest',
}

/** What a field holds in a schema of this name, in an object under this name, or in an operation of this slice. */
export const fieldsOf: Readonly<Record<string, Fields>> = {
  accounts: { ...account, newPassword: 'another horse, another battery' },
  Account: account,
  passkeys: { name: 'Laptop' },
  Passkey: { name: 'Laptop' },
  rp: { id: 'guildhall.example', name: 'Guildhall' },
  owner: account,
  user: account,
  Identity: account,
  profile,
  Profile: profile,
  PublicProfile: profile,
  FeedItem: { ...bug, type: 'bug', preview: bug['description'] },
  bugs: { ...bug, status: 'in_progress' },
  Bug: bug,
  BugEntry: bug,
  Label: { name: 'mail' },
  labels: { name: 'mail' },
  features: { ...feature, status: 'planned' },
  Feature: feature,
  FeatureEntry: feature,
  posts: post,
  Post: post,
  PostEntry: post,
  BlogEntry: blogPost,
  BlogPost: blogPost,
  BlogComment: { postSlug: 'what-guildhall-is' },
  orgs: { ...org, body: 'It ran every working day of the month, and saved an hour each time.' },
  Org: org,
  OrgEntry: org,
  OrgPage: org,
  admin: { role: 'moderator', reason: 'Agreed among the admins' },
  orgImages: { url: `/api/images/org/${id}` },
  OrgRole: {
    id: 'matcher',
    title: 'Matcher',
    type: 'worker',
    reports_to: 'lead',
    responsibilities: ['three-way match'],
    instructions_file: 'roles/matcher.md',
    runtime: 'opencode',
    model: 'some-model',
    skills: ['triage'],
    policy: { git: 'none' },
    max_turns_per_message: 20,
    budget_tokens: 400_000,
    budget_usd: 2.5,
  },
  provider: { kind: 'base-url', vendor: null },
  communication: { from: 'lead', to: 'matcher', type: 'command' },
  library: { ...item, page: 1, tags: ['mail', 'digest'] },
  Item: item,
  files: { path: 'manifest.json' },
  permissions: { steps: ['http.get'], scripts: ['scripts/fetch.js'], downloads: true, domains: ['example.com'] },
}
