// What `guildhall new` writes: a small whole file of each kind, without anything to fill in before it is valid.

export const newKinds = ['workflow', 'automation', 'org'] as const
export type NewKind = (typeof newKinds)[number]

export interface NewFiles {
  /** The file or the folder. */
  at: string
  /** Texts by their path in the folder; by '' where the file is all. */
  files: Record<string, string>
}

/** @param server gives the addresses of the JSON Schemas, for editors */
export function filesOf(kind: NewKind, name: string, server: string | undefined): NewFiles {
  const id = idOf(name)
  const schema = server === undefined ? {} : { $schema: `${server}/schemas/${kind}/v1.json` }
  if (kind === 'org') return { at: `${id}.json`, files: { '': jsonOf({ ...schema, ...orgOf(name) }) } }
  if (kind === 'workflow') return { at: `${id}.json`, files: { '': jsonOf({ ...schema, ...workflowOf(name, id) }) } }
  return {
    at: id,
    files: {
      'automation.json': jsonOf({ ...schema, ...manifestOf(name, id) }),
      'actions/read_title.json': jsonOf(actionOf(id)),
      'README.md': `# ${name.replace(/\s+/g, ' ')}\n\nReads the title of a page.\n\n- \`read_title\` opens the page and reads its first heading.\n`,
    },
  }
}

const jsonOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** As an automation is named: lower-case letters, digits, dots, hyphens and underscores. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-+$/g, '') || 'untitled'

const orgOf = (name: string) => ({
  name,
  goal: 'Answer what comes in within a day. A person approves what leaves the house.',
  topology: 'hierarchical',
  run_config: { max_concurrent_agents: 2, max_turns_per_message: 20 },
  roles: [
    {
      id: 'lead',
      title: 'Lead',
      type: 'boss',
      reports_to: null,
      responsibilities: ['decide who does what', 'check what leaves'],
      policy: { git: 'none' },
    },
    {
      id: 'writer',
      title: 'Writer',
      reports_to: 'lead',
      responsibilities: ['write answers'],
      policy: { git: 'none', fileWrite: ['out/**'] },
    },
  ],
  communication: [{ from: 'lead', to: 'writer', type: 'command' }],
})

const workflowOf = (name: string, id: string) => ({
  id,
  name,
  description: 'Fetches a page when it is started by hand.',
  version: 1,
  is_active: false,
  nodes: [
    node({ id: 'start', type: 'trigger.manual', name: 'Start', x: 0 }),
    {
      ...node({ id: 'fetch', type: 'http.request', name: 'Fetch the page', x: 240 }),
      config: { method: 'GET', url: 'https://example.com/' },
    },
  ],
  connections: [{ id: 'c1', source: 'start', source_handle: 'main', target: 'fetch', target_handle: 'main' }],
})

const node = ({ x, ...given }: { id: string; type: string; name: string; x: number }) => ({
  ...given,
  position: { x, y: 0 },
  disabled: false,
  config: {},
})

const manifestOf = (name: string, id: string) => ({
  schema: 'monoagent.automation/v1',
  id,
  name,
  version: '0.1.0',
  description: 'Reads the title of a page.',
  site: { startUrl: 'https://example.com/', domains: ['example.com'] },
  permissions: { steps: ['navigate', 'extract_text'], scripts: [], downloads: false },
  actions: ['read_title'],
  policy: { tier: 'standard' },
})

const actionOf = (id: string) => ({
  actionType: 'read_title',
  automation: id,
  sideEffects: 'read',
  steps: [
    { id: 'open', type: 'navigate', url: 'https://example.com/' },
    { id: 'title', type: 'extract_text', selector: 'h1' },
  ],
})
