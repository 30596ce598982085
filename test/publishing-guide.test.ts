// The guide to publishing from a CI: its files are YAML as the two CIs read it, and ask for what our command line needs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { parse } from 'yaml'
import { GITLAB_VARIABLE } from '../cli/src/ci-token.ts'

interface Job {
  steps?: { uses?: string; run?: string }[]
  script?: string[]
  id_tokens?: Record<string, { aud: string }>
}

it('the guide to publishing from a CI has a workflow of GitHub Actions and a job of GitLab CI', () => {
  for (const name of ['publishing.md', 'publishing.de.md']) {
    const text = readFileSync(new URL(`../content/docs/${name}`, import.meta.url), 'utf8')
    const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) =>
      block.replaceAll('{base_url}', 'https://guild.example'),
    )
    assert.equal(blocks.length, 2, name)
    const [gitHub, gitLab] = blocks.map((block) => parse(block) as Record<string, Job> & { permissions?: object })
    assert.deepEqual(gitHub!.permissions, { contents: 'read', 'id-token': 'write' })
    const steps = (gitHub!['jobs'] as unknown as Record<string, Job>)['publish']?.steps ?? []
    const published = / publish \S+ --ci --server https:\/\/guild\.example --item workflow\/morning-digest$/
    assert.match(String(steps.at(-1)?.run), published)
    assert.deepEqual(gitLab!['publish']?.id_tokens, { [GITLAB_VARIABLE]: { aud: 'https://guild.example/api/auth' } })
    assert.match(String(gitLab!['publish']?.script?.[0]), published)
  }
})
