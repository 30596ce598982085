// What an item may do, in sentences for the person who installs it.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
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
export function pointsOf(t: SiteWords, item: Pick<Item, 'kind' | 'meta'>, permissions: Permissions | null): Point[] {
  const points = pointsBy[item.kind](t, item.meta, permissions)
  return points.sort((a, b) => Number(Boolean(b.warning)) - Number(Boolean(a.warning)))
}

function ofSkill(t: SiteWords, meta: Item['meta']): Point[] {
  const [tools, scripts, needs] = [texts(meta['allowed_tools']), texts(meta['scripts']), meta['compatibility']]
  return [
    tools.length > 0
      ? { words: t('item.mayDo.tools'), names: tools, warning: t('item.mayDo.toolsWarning') }
      : { words: t('item.mayDo.noTools') },
    scripts.length > 0
      ? { words: t('item.mayDo.skillScripts'), names: scripts, warning: t('item.mayDo.skillScriptsWarning') }
      : { words: t('item.mayDo.noSkillScripts') },
    ...(typeof needs === 'string' ? [{ words: t('item.mayDo.compatibility'), names: [needs] }] : []),
  ]
}

function ofServer(t: SiteWords, meta: Item['meta']): Point[] {
  const [packages, remotes, given] = [objects(meta['packages']), objects(meta['remotes']), objects(meta['given'])]
  const namesOf = (secret: boolean) =>
    given.filter((one) => one['secret'] === secret).map((one) => `${one['name']}${one['required'] ? ' *' : ''}`)
  return [
    ...(packages.length > 0
      ? [
          {
            words: t('item.mayDo.packages'),
            names: packages.map((one) => `${one['registry']}: ${one['identifier']}`),
            warning: t('item.mayDo.packagesWarning'),
          },
        ]
      : []),
    ...named(
      t('item.mayDo.remotes'),
      remotes.map((one) => one['url']),
    ),
    ...(namesOf(true).length > 0
      ? [{ words: t('item.mayDo.secrets'), names: namesOf(true), warning: t('item.mayDo.secretsWarning') }]
      : []),
    ...named(t('item.mayDo.given'), namesOf(false)),
    ...(meta['verified'] === true ? [] : [{ words: t('item.mayDo.unverified') }]),
  ]
}

function ofAutomation(t: SiteWords, meta: Item['meta'], permissions: Permissions | null): Point[] {
  if (!permissions) return []
  const { steps, scripts, downloads, domains } = permissions
  const wide = domains.filter(isWide)
  const native = meta['native']
  return [
    domains.length === 0
      ? { words: t('item.mayDo.anywhere'), warning: t('item.mayDo.anywhereWarning') }
      : wide.length > 0
        ? {
            words: t('item.mayDo.sites'),
            names: domains,
            warning: t('item.mayDo.sitesWarning', { count: wide.length, domains: t.list(wide) }),
          }
        : { words: t('item.mayDo.sites'), names: domains },
    steps.length > 0 ? { words: t('item.mayDo.steps'), names: steps } : { words: t('item.mayDo.noSteps') },
    scripts.length > 0
      ? {
          words: t('item.mayDo.scripts'),
          names: scripts,
          warning: t('item.mayDo.scriptsWarning'),
        }
      : { words: t('item.mayDo.noScripts') },
    downloads
      ? { words: t('item.mayDo.downloads'), warning: t('item.mayDo.downloadsWarning') }
      : { words: t('item.mayDo.noDownloads') },
    ...(typeof native === 'string'
      ? [
          {
            words: t('item.mayDo.native'),
            names: [native],
            warning: t('item.mayDo.nativeWarning'),
          },
        ]
      : []),
    ...named(t('item.mayDo.actions'), meta['actions']),
  ]
}

function ofWorkflow(t: SiteWords, meta: Item['meta']): Point[] {
  const starts = texts(meta['trigger_types'])
  const steps = texts(meta['node_types']).filter((type) => !starts.includes(type))
  return [
    starts.length > 0 ? { words: t('item.mayDo.trigger'), names: starts } : { words: t('item.mayDo.manual') },
    ...named(t('item.mayDo.steps'), steps),
    ...named(t('item.mayDo.automations'), meta['required_automations']),
  ]
}

function ofOrg(t: SiteWords, meta: Item['meta']): Point[] {
  const roles = Number(meta['role_count'])
  const topology = meta['topology']
  return [
    ...(roles > 0 ? [{ words: t('item.mayDo.agents', { count: roles }) }] : []),
    ...(typeof topology === 'string' ? [{ words: t('item.mayDo.topology'), names: [topology] }] : []),
    {
      words: t('item.mayDo.policies'),
      warning: t('item.mayDo.policiesWarning'),
    },
  ]
}

type Points = (t: SiteWords, meta: Item['meta'], permissions: Permissions | null) => Point[]
const pointsBy: Record<Item['kind'], Points> = {
  automation: ofAutomation,
  workflow: ofWorkflow,
  org: ofOrg,
  skill: ofSkill,
  'mcp-server': ofServer,
}

const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

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
