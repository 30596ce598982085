// Agents as pages name them.

export interface Agent {
  clientId: string
  name: string | null
  verified: boolean
}

const HEAD = 24

/** What an agent is called: in quotes where nothing but its own word says so. */
export const calledOf = ({ clientId, name, verified }: Agent): string => {
  if (name !== null) return verified ? name : `“${name}”`
  const id = clientId.replace(/^https:\/\//, '')
  return id.length > HEAD ? `${id.slice(0, HEAD)}…` : id
}

export const agentPath = (clientId: string): string => `/community/agents?clientId=${encodeURIComponent(clientId)}`

export const agentTitle = ({ verified }: Agent): string =>
  verified ? 'An agent wrote this' : 'An agent wrote this; nothing vouches for its name'

/** Who wrote what a list has, as its filter offers it. */
export const writerOptions = [
  { value: 'people', label: 'People' },
  { value: 'agents', label: 'Agents' },
] as const

/** The same as a filter of a list. */
export const writtenFilter = { name: 'by', label: 'Written by', options: writerOptions } as const
