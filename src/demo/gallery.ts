// The org gallery of the demo: definitions with their descriptions, banners, and the files that their runs wrote.

import { type Entry, entriesOf, readPicture, readText } from './content.ts'
import { planEntry, planTalk, type Stage, type TalkCounts } from './stage.ts'

/** Titles in orgs.md are the names of the files in demo/orgs. */
export async function planOrgs(stage: Stage): Promise<TalkCounts[]> {
  const entries = await entriesOf('orgs')
  const runs = await entriesOf('runs')
  return Promise.all(
    entries.map(async (entry) => {
      const orgJson = await readText(`orgs/${entry.title}.json`)
      const org = planEntry(stage, entry, async (who) => {
        const { id } = await who.orgs.create({ orgJson })
        const tagline = entry.find('tagline') ?? null
        const description = entry.find('description') ?? null
        if (tagline ?? description ?? entry.body) {
          await who.orgs.update({ id, tagline, description, body: entry.body || null })
        }
        if (entry.find('banner')) {
          const { url } = await who.orgImages.add({ id, image: await readPicture(`orgs/${entry.title}.svg`, 1600) })
          await who.orgs.update({ id, bannerUrl: url })
        }
        return { id }
      })
      for (const run of runs.filter((candidate) => candidate.get('org') === entry.title)) {
        planEntry(stage, run, async (who) => {
          const files = await Promise.all(run.list('files', ',').map((name) => runFile(run, name)))
          return who.orgRuns.add({ id: org.id(), label: run.title, files })
        })
      }
      return planTalk(stage, entry, {
        ...org,
        vote: (who) => who.orgs.vote,
        comment: (who) => who.orgs.comment,
      })
    }),
  )
}

async function runFile(run: Entry, name: string): Promise<File> {
  return new File([await readText(`runs/${run.get('org')}/${name}`)], name.replace(/^.*\//, ''))
}
