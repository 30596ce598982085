// What an item may do, in sentences for the person who installs it.
import type { Answer } from '#lib/api.ts'
import type { Item } from './item-lists.ts'

type Permissions = NonNullable<Answer<'library.contents'>['permissions']>

export interface Point {
  /** The sentence; names follow it. */
  words: string
  names?: string[]
  /** Why to be careful. */
  warning?: string
}

/** The points of an item, warnings first. */
export function pointsOf(item: Pick<Item, 'kind' | 'meta'>, permissions: Permissions | null): Point[] {
  const points = { automation: ofAutomation, workflow: ofWorkflow, org: ofOrg }[item.kind](item.meta, permissions)
  return points.sort((a, b) => Number(Boolean(b.warning)) - Number(Boolean(a.warning)))
}

function ofAutomation(meta: Item['meta'], permissions: Permissions | null): Point[] {
  if (!permissions) return []
  const { steps, scripts, downloads, domains } = permissions
  const wide = domains.filter(isWide)
  const native = meta['native']
  return [
    domains.length === 0
      ? { words: 'Names no websites', warning: 'It may work on any website.' }
      : wide.length > 0
        ? { words: 'Works on', names: domains, warning: `${wide.join(', ')} covers far more than one website.` }
        : { words: 'Works on', names: domains },
    steps.length > 0 ? { words: 'Steps:', names: steps } : { words: 'Uses no steps' },
    scripts.length > 0
      ? {
          words: 'Runs its own scripts:',
          names: scripts,
          warning: 'A script can do anything the page it runs in can do. Read it first.',
        }
      : { words: 'Runs no scripts' },
    downloads
      ? { words: 'Downloads files', warning: 'Files are saved on the machine it runs on.' }
      : { words: 'Downloads no files' },
    ...(typeof native === 'string'
      ? [
          {
            words: 'Needs a separately installed component:',
            names: [native],
            warning: 'The component is not in this package.',
          },
        ]
      : []),
    ...named('Offers these actions:', meta['actions']),
  ]
}

function ofWorkflow(meta: Item['meta']): Point[] {
  const starts = texts(meta['trigger_types'])
  const steps = texts(meta['node_types']).filter((type) => !starts.includes(type))
  return [
    starts.length > 0 ? { words: 'Trigger:', names: starts } : { words: 'Starts manually' },
    ...named('Steps:', steps),
    ...named('Needs these automations:', meta['required_automations']),
  ]
}

function ofOrg(meta: Item['meta']): Point[] {
  const roles = Number(meta['role_count'])
  const topology = meta['topology']
  return [
    ...(roles > 0 ? [{ words: roles === 1 ? 'One agent with a role' : `${roles} agents, each with a role` }] : []),
    ...(typeof topology === 'string' ? [{ words: 'Topology:', names: [topology] }] : []),
    {
      words: 'Each role has its own policy: tools, files, websites and budget',
      warning: 'Read the policies in the file before you start it.',
    },
  ]
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

function named(words: string, value: unknown): Point[] {
  const names = texts(value)
  return names.length > 0 ? [{ words, names }] : []
}

/** Whether a domain pattern matches many sites: `*`, `*.com`, `https://*`. */
export function isWide(domain: string): boolean {
  if (domain === '<all_urls>') return true
  const [host = ''] = domain.replace(/^[\w*]+:\/\//, '').split(/[/:]/)
  const labels = host.split('.').filter((label) => label !== '' && !label.includes('*'))
  return host.includes('*') && labels.length < 2
}
