// Agents as pages name them.
import type { SiteWords } from '#lib/language/catalogue.ts'

export interface Agent {
  clientId: string
  name: string | null
  verified: boolean
  /** The names of the helpers that it handed its access on to; the last one wrote it. */
  helpers?: (string | null)[] | undefined
  /** The host whose keys its request was signed with, where that was verified. */
  signedBy?: string | undefined
}

const HEAD = 24

/** What an agent is called: in quotes where nothing but its own word says so. */
export const calledOf = (t: SiteWords, { clientId, name, verified }: Agent): string => {
  if (name !== null) return verified ? name : t('search.quoted', { word: name })
  const id = clientId.replace(/^https:\/\//, '')
  return id.length > HEAD ? `${id.slice(0, HEAD)}…` : id
}

/** The same with the helpers by whom it came, in quotes: an agent alone says what they are called. */
export const chainOf = (t: SiteWords, agent: Agent): string =>
  [signedName(t, agent), ...(agent.helpers ?? []).map((name) => helperCalled(t, name))].join(' › ')

/** With the site that vouches for the program, where one does. */
const signedName = (t: SiteWords, agent: Agent): string =>
  agent.signedBy === undefined
    ? calledOf(t, agent)
    : t('ui.via.signed', { agent: calledOf(t, agent), host: agent.signedBy })

const helperCalled = (t: SiteWords, name: string | null): string =>
  name === null ? t('ui.via.helper') : t('search.quoted', { word: name })

export const agentPath = (clientId: string): string => `/community/agents?clientId=${encodeURIComponent(clientId)}`

export const agentTitle = (t: SiteWords, { verified }: Agent): string =>
  verified ? t('ui.agent.wrote') : t('ui.agent.unverified')

/** Who wrote what a list has, as its filter offers it. */
export const writerOptions = (t: SiteWords) =>
  (['people', 'agents'] as const).map((value) => ({ value, label: t(`ui.written.${value}`) }))

/** The same as a filter of a list. */
export const writtenFilter = (t: SiteWords) => ({
  ...{ name: 'by', label: t('ui.written'), options: writerOptions(t) },
  /** Where people alone write, there is nothing to tell apart. */
  least: 2,
})
