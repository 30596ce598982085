// The guide to file formats: the library takes its examples.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { zip } from './corpus/zip-writer.ts'
import { fileOf } from './library.ts'
import { onEveryEngine } from './world.ts'

const guide = readFileSync('content/docs/formats.md', 'utf8')

/** The example of a section. */
function exampleIn(section: string): string {
  const [, text] = new RegExp(`^## ${section}\n[\\s\\S]*?^\`\`\`json\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? []
  return text ?? assert.fail(`no example of ${section}`)
}

onEveryEngine('the guide to file formats', (it) => {
  it('has examples that are published without a warning, and no finding', async ({ alice, anonymous }) => {
    const archive = zip([
      { name: 'automation.json', data: exampleIn('Automation') },
      { name: 'actions/list_berths.json', data: '{}' },
    ])
    const files = {
      workflow: fileOf(Buffer.from(exampleIn('Workflow')), 'workflow.json'),
      automation: fileOf(archive, 'harbor-board.mpkg'),
      org: fileOf(Buffer.from(exampleIn('Org')), 'org.json'),
    }
    for (const [kind, file] of Object.entries(files) as [keyof typeof files, File][]) {
      const item = await alice.library.publish({ kind, visibility: 'public', file })
      assert.deepEqual(item.warnings ?? [], [], kind)
      assert.deepEqual((await anonymous.library.scan({ id: item.id })).findings, [], kind)
    }
  })
})
