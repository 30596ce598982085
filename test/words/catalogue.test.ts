// The catalogue is complete: every language has every message, with the same variables, and every message is used.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { api, auditActions } from '../../src/api.ts'
import { LANGUAGES } from '../../src/contract/languages.ts'
import { type Contract, isRepeatable } from '../../src/contract/operation.ts'
import { expectedOf } from '../../src/language/added.ts'
import { areaNames, textsOf } from '../../src/language/derive.ts'

const others = LANGUAGES.filter((language) => language !== 'en')
const each = <Found>(find: (area: string, language: string) => Found[]) =>
  areaNames().flatMap((area) => others.flatMap((language) => find(area, language)))

it('Every language has every message, and no others', () => {
  const differing = each((area, language) => {
    const [texts, english] = [textsOf(area, language), textsOf(area, 'en')]
    const missing = Object.keys(english).filter((name) => !texts[name]?.trim())
    const unknown = Object.keys(texts).filter((name) => !Object.hasOwn(english, name))
    return [
      ...missing.map((name) => `${language} lacks ${area}.${name}`),
      ...unknown.map((name) => `en lacks ${area}.${name}`),
    ]
  })
  assert.deepEqual(differing, [])
})

/** The choices of a variable belong to the language: two have different plurals. */
const shapeOf = (text: string) => {
  const { values, tags } = expectedOf(text)
  return { values: Object.fromEntries([...values].sort()), tags: [...tags].sort() }
}

it('A message has the same variables and tags in every language', () => {
  const differing = each((area, language) => {
    const english = textsOf(area, 'en')
    return Object.entries(textsOf(area, language)).flatMap(([name, text]) => {
      const [one, other] = [shapeOf(english[name] ?? ''), shapeOf(text)].map((shape) => JSON.stringify(shape))
      return one === other ? [] : [`${area}.${name}: ${one} in en, ${other} in ${language}`]
    })
  })
  assert.deepEqual(differing, [])
})

it('A plural has all the forms of its language', () => {
  const lacking = areaNames().flatMap((area) =>
    LANGUAGES.flatMap((language) =>
      Object.entries(textsOf(area, language)).flatMap(([name, text]) => {
        const plurals = [...text.matchAll(/\{\s*\w+\s*,\s*plural\s*,/g)].length
        const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
        const lacks =
          plurals > 0 && forms.some((form) => text.split(new RegExp(`\\b${form}\\s*\\{`)).length - 1 < plurals)
        return lacks ? [`${language} ${area}.${name}`] : []
      }),
    ),
  )
  assert.deepEqual(lacking, [])
})

/** Messages that are the same words in every language, such as "Workflow": `same.json` of their area names them. */
function sameIn(area: string): Set<string> {
  const path = `messages/${area}/same.json`
  return new Set(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])
}

it('A message is translated, or same.json of its area says that it is the same in every language', () => {
  const wrong = each((area, language) => {
    const [texts, english, same] = [textsOf(area, language), textsOf(area, 'en'), sameIn(area)]
    const left = Object.keys(english).filter((name) => texts[name] === english[name] && !same.has(name))
    const gone = [...same].filter((name) => texts[name] !== english[name] || !Object.hasOwn(english, name))
    return [
      ...left.map((name) => `not translated: ${area}.${name}`),
      ...gone.map((name) => `not the same: ${area}.${name}`),
    ]
  })
  assert.deepEqual(wrong, [])
})

it('Every message is used', () => {
  const code = globSync(['site/src/**/*.{svelte,ts}', 'src/**/*.ts'])
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const areas = areaNames().join('|')
  // The script names its words without their area (site/src/enhance/words.ts).
  const inScript = [...code.matchAll(/(['`])((?:page|palette|passkey|file|upload|widget|push)\.[^'`\s]+)\1/g)].map(
    ([, , key = '']) => key,
  )
  const used = new Set([...code.matchAll(new RegExp(`['"]((?:${areas})\\.[\\w.]+)['"]`, 'g'))].map(([, key]) => key))
  // In code `a.${b}`, in an attribute of a component "a.{b}".
  const made = [`\`((?:${areas})\\.[^\`]*)\``, `"((?:${areas})\\.[^"\\s]*)"`]
  const templates = made
    .flatMap((pattern) => [...code.matchAll(new RegExp(pattern, 'g'))])
    .map(([, key = '']) => key)
    .concat(inScript.map((key) => `script.${key}`))
    .map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$?\{[^}]*\}/g, '[\\w-]+')}$`))
  const unused = areaNames().flatMap((area) =>
    Object.keys(textsOf(area, 'en'))
      .map((name) => `${area}.${name}`)
      .filter((key) => !used.has(key) && !templates.some((pattern) => pattern.test(key))),
  )
  assert.deepEqual(unused, [])
})

it('Every action of the audit log has its title in the catalogue', () => {
  const texts = textsOf('admin', 'en')
  const titles = [...auditActions.values()].map(({ name, title }) => [`act.${name.replaceAll(/[.-]/g, '_')}`, title])
  assert.deepEqual(
    titles.filter(([name = '', title]) => texts[name] !== title),
    [],
  )
})

it('Every type that the audit log names has a word', () => {
  const [types, admin] = [textsOf('moderation', 'en'), textsOf('admin', 'en')]
  const subjects = new Set([...auditActions.values()].map(({ subject }) => subject))
  const known = (subject: string) => types[`type.${subject}`] ?? admin[`type.${subject.replaceAll('-', '_')}`]
  assert.deepEqual(
    [...subjects].filter((subject) => !known(subject)),
    [],
  )
})

it('Every write that agents can send for approval has its words in the catalogue, and no other operation', () => {
  const writes = Object.entries<Contract>(api).flatMap(([slice, contract]) =>
    Object.entries(contract).flatMap(([verb, operation]) =>
      isRepeatable(operation) && ['required', 'optional'].includes(operation.access.credential)
        ? [`${slice}.${verb}`]
        : [],
    ),
  )
  assert.ok(writes.includes('bugs.create') && writes.length > 100)
  for (const language of LANGUAGES) {
    assert.deepEqual(Object.keys(textsOf('operations', language)).sort(), writes.toSorted(), language)
  }
})
