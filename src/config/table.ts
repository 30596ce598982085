// The table of settings in README.md, from their declaration.
import { about } from './about.ts'
import { settingNames, settings } from './settings.ts'

const START = '<!-- settings: made by npm run derive -->'
const END = '<!-- /settings -->'

function rowOf(name: keyof typeof settings.shape): string {
  const { description = '', default: text, missing } = about.get(settings.shape[name]) ?? {}
  const plain = text === '' || text === '[]' ? undefined : text?.replace(/\{(\w+)(\.hostname)?\}/g, '$1')
  return `| \`${name}\` | ${missing ?? (plain ? `\`${plain}\`` : 'none')} | ${description} |`
}

/** `readme` with the table of settings as it is declared. */
export function withSettingsTable(readme: string): string {
  const [before = '', rest = ''] = readme.split(START)
  const after = rest.split(END)[1] ?? ''
  const table = ['| name | default | meaning |', '| --- | --- | --- |', ...settingNames.map(rowOf)]
  return `${before}${START}\n\n${table.join('\n')}\n\n${END}${after}`
}
