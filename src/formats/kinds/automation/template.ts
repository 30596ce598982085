// What `guildhall new automation` writes.
import type { Template } from '../template.ts'
import { idOf, jsonOf } from '../template-texts.ts'

export const template: Template = (name, schema) => {
  const id = idOf(name)
  return {
    at: id,
    files: {
      'automation.json': jsonOf({ ...schema, ...manifestOf(name, id) }),
      'actions/read_title.json': jsonOf(actionOf(id)),
      'README.md': `# ${name.replace(/\s+/g, ' ')}\n\nReads the title of a page.\n\n- \`read_title\` opens the page and reads its first heading.\n`,
    },
  }
}

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
