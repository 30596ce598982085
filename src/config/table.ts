// docs/settings.md: the settings and the budgets, from their declarations.
import { budgetTable } from '../budgets/table.ts'
import { settingNames, settings } from './settings.ts'
import { about } from './values.ts'

const INTRODUCTION = `# Settings

Settings are environment variables. The server reads them once, when it starts. An invalid value stops the start, with a message that says how to
correct it and shows no secret. A misspelt name causes a warning. Settings with "yes" can also be changed while the server runs, by admins on the
page \`/admin/settings\` and by \`npm run admin -- settings\`. Such a value is stored in the database. Where the environment sets one, it wins.

This page is derived from \`src/config/settings.ts\` by \`npm run derive\`. The [handbook](../content/docs/operators.md) explains how to use the settings.`

const BUDGETS = `## Budgets

A budget limits how much one account can use. \`BUDGETS\` names a budget and sets its columns in the order of this table, separated by commas.
\`off\` removes the limit of a column. A budget that is not named keeps its default. [Sizing](../content/docs/sizing.md#budgets) explains how they
are counted.`

function rowOf(name: keyof typeof settings.shape): string {
  const { description = '', default: text, missing, live } = about.get(settings.shape[name]) ?? {}
  const plain = text === '' || text === '[]' ? undefined : text?.replace(/\{(\w+)(\.hostname)?\}/g, '$1')
  return `| \`${name}\` | ${missing ?? (plain ? `\`${plain}\`` : 'none')} | ${live ? 'yes' : ''} | ${description} |`
}

/** The page of all settings, in Markdown. */
export function settingsPage(): string {
  const table = [
    '| name | default | while it runs | meaning |',
    '| --- | --- | --- | --- |',
    ...settingNames.map(rowOf),
  ]
  return `${[INTRODUCTION, table.join('\n'), BUDGETS, budgetTable().join('\n')].join('\n\n')}\n`
}
