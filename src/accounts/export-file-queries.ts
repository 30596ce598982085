// The files that an export has, of each kind: which there are, and where their bytes are stored.
import { sql } from 'kysely'
import { keysOf } from '../contract/records.ts'
import type { Db } from '../database/schema.ts'

/** A stored file of an account: an artifact by its hash, or an object by its key. */
export interface OwnFile {
  place: string
  name: string
  size: number
  sha256: string | null
  object: string | null
}

const files = {
  definitions: sql`select id as place, 'files/orgs/' || slug || '.json' as name, size, sha256, null as object
    from "orgUpload" where "authorId" = `,
  versions: sql`select i.id || '/' || v.version as place, v.size, v.sha256, null as object,
    'files/library/' || i.kind || 's/' || i.slug || '/' || v.version || case when i.kind = 'automation' then '.mpkg' else '.json' end as name
    from "itemVersion" v join "libraryItem" i on i.id = v."itemId" where i.gallery = 0 and i."ownerId" = `,
  images: sql`select id as place, 'files/images/' || id || '.' || replace("contentType", 'image/', '') as name, size, null as sha256,
    'org-images/' || id as object from "orgImage" where "uploaderId" = `,
  textImages: sql`select id as place, 'files/text-images/' || id || '.' || replace("contentType", 'image/', '') as name, size, null as sha256,
    'text-images/' || id as object from "textImage" where "uploaderId" = `,
  runs: sql`select f.id as place, 'files/runs/' || r.id || '/' || f.position || '-' || f.filename as name, f."sizeBytes" as size,
    null as sha256, 'org-runs/' || f.id as object from "orgRunFile" f join "orgRun" r on r.id = f."runId" where r."authorId" = `,
  picture: sql`select u.id as place, 'files/picture' as name, s."avatarBytes" as size, null as sha256, 'avatars/' || u.id as object
    from "user" u join "storedBytes" s on s."accountId" = u.id where u."avatarUpdatedAt" is not null and u.id = `,
}

export const fileKinds = keysOf(files)

/** Files of one kind after one, in order. */
export async function listFiles(
  db: Db,
  kind: keyof typeof files,
  { userId, after, limit }: { userId: string; after: string; limit: number },
): Promise<OwnFile[]> {
  const { rows } = await sql<OwnFile>`select * from (${files[kind]} ${userId}) own
    where place > ${after} order by place limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}
