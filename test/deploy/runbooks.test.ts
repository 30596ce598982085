// Each alert leads to its section of the handbook, and each section there is for an alert.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { parse } from 'yaml'

interface Rules {
  groups: { rules: { alert: string; annotations: { runbook_url: string } }[] }[]
}

it('every alert leads to a section of the handbook, and every section is for an alert', () => {
  const { groups }: Rules = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8'))
  const rules = groups.flatMap((group) => group.rules)
  const sections = [...readFileSync('content/docs/night.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, name]) => name!)
  for (const { alert, annotations } of rules) {
    assert.equal(annotations.runbook_url, `https://guild.example/docs/night#${alert.toLowerCase()}`)
  }
  assert.deepEqual(
    sections,
    rules.map(({ alert }) => alert),
  )
})
