// What `guildhall new org` writes.
import type { Template } from '../template.ts'
import { idOf, jsonOf } from '../template-texts.ts'

export const template: Template = (name, schema) => ({
  at: `${idOf(name)}.json`,
  files: { '': jsonOf({ ...schema, ...orgOf(name) }) },
})

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
