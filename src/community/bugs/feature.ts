// Bugs, as a feature of the application.
import type { ItemsSeen } from '../../content/about/about.ts'
import type { Feature } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subjects/subject-feature.ts'
import { type Prompt, SAFE } from '../../contract/prompt.ts'
import { bugHandlers, floodable, releasing, store } from './handlers.ts'

/** What people ask their agents for again and again about bugs. */
const prompts: readonly Prompt[] = [
  {
    name: 'file_bug',
    title: 'File a good bug',
    description: 'From what went wrong to one bug that can be worked on, or a vote for the one that is there',
    arguments: [{ name: 'problem', description: 'What went wrong, in a sentence', required: true }],
    needs: ['bugs.create'],
    say: ({ problem = '' }) => `Report this problem: ${problem}
1. Call search with type bug and two to four words of it. If one of the hits is the same problem, vote_bug it with 1, comment what is new, and stop.
2. Ask me for what you do not know: what I did, what I expected, what happened, the version, how often.
3. Show me a title of one sentence, a description with these parts, and a severity; leave out secrets and names of people.
4. When I agree, call create_bug once, and tell me its number and its url.`,
  },
  {
    name: 'triage_bug',
    title: 'Triage a bug',
    description: 'Duplicates, severity, labels and the next step, as a proposal',
    arguments: [{ name: 'id', description: 'The id of the bug', required: true }],
    needs: ['bugs.get'],
    completedBy: 'bugs.get',
    data: ({ id }) => [
      { operation: 'bugs.get', input: { id } },
      { operation: 'bugs.comments', input: { id, per_page: 20 } },
      { operation: 'labels.list', input: {} },
    ],
    say: () => `Triage the bug below. ${SAFE}
1. Call search with type bug and words of its title: name likely duplicates with their numbers.
2. Judge whether it can be reproduced from what is written, and which severity the description supports.
3. Propose a status, labels of those that exist, and one question to its author if something is missing.
4. Change nothing until I agree.`,
  },
]

/** What other slices may ask of bugs. */
export { store } from './handlers.ts'

export const bugsFeature = {
  ...subjectFeature(store, ['title', 'description']),
  handlers: ({ items }: { items: ItemsSeen }) => ({ bugs: bugHandlers(items) }),
  floodables: [floodable],
  releasings: [releasing],
  prompts,
} satisfies Feature
