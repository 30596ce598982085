// What `guildhall new workflow` writes.
import type { Template } from '../template.ts'
import { idOf, jsonOf } from '../template-texts.ts'

export const template: Template = (name, schema) => {
  const id = idOf(name)
  return { at: `${id}.json`, files: { '': jsonOf({ ...schema, ...workflowOf(name, id) }) } }
}

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
