// docs/states.md: the states that things go through, from their tables.
import { keysOf } from '../../contract/records.ts'
import {
  caseStates,
  deliveryStates,
  exportStates,
  importStates,
  mergeStates,
  pendingActStates,
  suggestionStates,
  versionStates,
} from '../../contract/states.ts'

const INTRODUCTION = `# States

What goes through states says in one table which state follows which ([states.ts](../src/contract/states.ts)). The update that changes a state has
the states before it in its condition ([database/states.ts](../src/database/states.ts)), so of two steps that come at once one changes nothing. Every
other step is refused.

This page is derived from the tables by \`npm run derive\`.`

interface Section {
  title: string
  about: string
  table: Readonly<Record<string, readonly string[]>>
}

const sections: readonly Section[] = [
  {
    title: 'A write that waits for a yes',
    about:
      'The table `pendingAct`. What waits longer than 7 days is shown as `expired`, and what has lost its grant as `ended`.',
    table: pendingActStates,
  },
  {
    title: 'A suggestion of an agent',
    about: 'The table `suggestion`. Its agent withdraws it; a person accepts or refuses it.',
    table: suggestionStates,
  },
  {
    title: 'A delivery of a webhook',
    about:
      'The table `webhookDelivery`. `taken:` is before the state of one that is left out while an account is blocked. One for which there is no room begins as `failed`.',
    table: deliveryStates,
  },
  {
    title: 'An export of an account',
    about:
      'The table `dataExport`; the state follows from `readyAt` and `failedAt`. An operator lets a failed one wait again.',
    table: exportStates,
  },
  {
    title: 'An import from another tracker',
    about:
      'The table `import`. It is `failed` after ten attempts at one batch; who starts it again lets it go on there. One that was taken back can come again as a new one.',
    table: importStates,
  },
  {
    title: 'A case of moderators',
    about: 'The table `moderationCase`. A later report of the same thing opens another case.',
    table: caseStates,
  },
  {
    title: 'A merge',
    about:
      'The table `mergedThing`; the state follows from `doneAt` and `record`. A merge is `final` after 30 days, or when its text is removed. One that is undone has no row.',
    table: mergeStates,
  },
  {
    title: 'A version of an item, for those who publish it',
    about:
      'The table `itemVersion`; the state follows from `yankedAt` and `yankedByAdmin`. `withheld` is one that an admin yanked who does not publish it. One that is deleted has no row.',
    table: versionStates.publisher,
  },
  { title: 'A version of an item, for admins', about: 'The same.', table: versionStates.admin },
]

const named = (states: readonly string[]) => states.map((state) => `\`${state}\``).join(', ') || 'none'

const sectionOf = ({ title, about, table }: Section) =>
  [
    `## ${title}`,
    about,
    ['| state | what follows |', '| --- | --- |']
      .concat(keysOf(table).map((state) => `| \`${state}\` | ${named(table[state] ?? [])} |`))
      .join('\n'),
  ].join('\n\n')

/** The page of all states, in Markdown. */
export const statesPage = (): string => `${[INTRODUCTION, ...sections.map(sectionOf)].join('\n\n')}\n`
