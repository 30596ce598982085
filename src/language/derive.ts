// What TypeScript knows of the catalogue: every key with its variables and tags, read from the English texts by `npm run derive`. So a
// missing key or variable does not compile.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { LANGUAGES } from '../contract/languages.ts'
import { expectedOf } from './added.ts'

/** The areas of the catalogue: the folders of `messages`. */
export const areaNames = (): string[] =>
  globSync('messages/*/en.json')
    .map((path) => basename(dirname(path)))
    .sort()

/** The texts of an area in a language, by the name of the message. */
export const textsOf = (area: string, language: string): Record<string, string> =>
  JSON.parse(readFileSync(`messages/${area}/${language}.json`, 'utf8'))

const nameOf = (area: string) => `${area[0]?.toUpperCase()}${area.slice(1)}Messages`

const HEAD = (what: string) => `// ${what}\n// Derived by npm run derive; do not edit.\n`

function keysOf(area: string): string {
  const lines = Object.entries(textsOf(area, 'en')).map(([name, text]) => {
    const { values, tags } = expectedOf(text)
    // The words know the name of their server (words.ts).
    const given = [...values].flatMap(([value, type]) => (value === 'site' ? [] : `${value}: ${type}`)).join('; ')
    const tagged = [...tags].map((tag) => `'${tag}'`).join(' | ')
    const type = given || tagged ? `Message<${given ? `{ ${given} }` : 'None'}${tagged && `, ${tagged}`}>` : 'Message'
    return `  '${area}.${name}': ${type}\n`
  })
  const types = ['Message', ...(lines.some((line) => line.includes('None')) ? ['None'] : [])].join(', ')
  const imported = lines.length > 0 ? `import type { ${types} } from '../../src/language/words.ts'\n` : ''
  return `${HEAD(`The messages of the area ${area}, with their variables and tags.`)}${imported}\nexport interface ${nameOf(area)} {\n${lines.join('')}}\n`
}

function catalogueSource(): string {
  const areas = areaNames()
  const imports = areas.flatMap((area) => [
    ...LANGUAGES.map(
      (language) => `import ${area}_${language} from './${area}/${language}.json' with { type: 'json' }`,
    ),
    `import type { ${nameOf(area)} } from './${area}/keys.ts'`,
  ])
  const entries = areas.map(
    (area) => `  ${area}: { ${LANGUAGES.map((each) => `${each}: ${area}_${each}`).join(', ')} },`,
  )
  return `${HEAD('Every area of the catalogue.')}${imports.join('\n')}

export interface Messages extends ${areas.map(nameOf).join(', ')} {}

export const areas = {
${entries.join('\n')}
}
`
}

/** The derived files of the catalogue, by their paths from the root. */
export const derivedMessages = (): Record<string, () => string> => ({
  'messages/catalogue.ts': catalogueSource,
  ...Object.fromEntries(areaNames().map((area) => [`messages/${area}/keys.ts`, () => keysOf(area)])),
})
