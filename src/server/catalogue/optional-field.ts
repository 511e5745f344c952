/**
 * An object with one field, or none if the value is undefined: files and definitions omit fields
 * that do not apply.
 */
export function optionalField<Key extends string, Value>(key: Key, value: Value | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { [Name in Key]?: Value };
}
