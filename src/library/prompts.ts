// What people ask their agents for about the library.
import { type Prompt, SAFE } from '../contract/prompt.ts'

export const prompts: readonly Prompt[] = [
  {
    name: 'review_update',
    title: 'Review an update',
    description: 'What a version of a library item may newly do, before it is installed',
    arguments: [
      { name: 'kind', description: 'workflow, automation or org', required: true },
      { name: 'slug', description: 'The slug of the item', required: true },
      { name: 'from', description: 'The version that is installed', required: true },
      { name: 'to', description: 'The version to review', required: true },
    ],
    needs: ['library.findCompare'],
    completedBy: 'library.find',
    data: ({ kind, slug, from, to }) => [{ operation: 'library.findCompare', input: { kind, slug, from, to } }],
    say: ({ kind = '', slug = '', from = '', to = '' }) =>
      `Review the update of ${kind}/${slug} from ${from} to ${to}, compared below. ${SAFE}
1. List first what it may newly do: sites, scripts, connectors, secrets, schedule, models. Say for each whether the changes explain it.
2. Then the changes of steps and files, each in a sentence.
3. End with one of: install, install after a question to its publisher, do not install; and why.`,
  },
]

/** The list in which the values of an argument are. */
export const completedBy: Readonly<Record<string, string>> = {
  slug: 'library.list',
  version: 'library.findVersions',
  from: 'library.findVersions',
  to: 'library.findVersions',
}
