// What is said of versions of items: the fields and the filters of the things that can be about one.
import { z } from 'zod'
import { Id, ItemName, textLike, VersionText } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'

/** A version as it is named. */
export const VersionName = z.object({ item: ItemName, version: VersionText }).meta({ id: 'VersionName' })

/** A version, as those who see its item get it. */
export const AboutVersion = z
  .object({
    item: Id,
    kind: textLike('workflow'),
    slug: textLike('morning-digest'),
    name: textLike('Morning digest'),
    version: textLike('1.2.0'),
    url: textLike('/library/workflows/morning-digest/versions/1.2.0').meta({ description: 'Where the site shows it' }),
    href: Href,
  })
  .meta({ id: 'AboutVersion' })

const About = AboutVersion.optional().meta({
  id: 'About',
  description: 'The version of an item that it is about; only for those who see the item',
})

/** What answers have of it: left out where there is nothing to tell. */
export const aboutFields = { about: About }

/** What something is written to be about. */
export const aboutInput = { about: VersionName.optional().meta({ description: 'The version that it is about' }) }

/** The same in an edit: null for nothing any more. */
export const aboutEdit = {
  about: VersionName.nullable().optional().meta({ description: 'The version that it is about; null for none' }),
}

/** What lists are filtered by; `counts` knows none of it. */
export const aboutFilters = {
  item: ItemName.optional().meta({ description: 'About this item: id or kind/slug' }),
  version: VersionText.optional().meta({ description: 'About this version of `item`' }),
}

/** What a comment on an item says of it. */
export const versionInput = { version: VersionText.optional().meta({ description: 'The version that it is about' }) }
