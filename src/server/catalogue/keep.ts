/** A field that is there only if it has a value: files and definitions leave out what does not apply. */
export function keep<Key extends string, Value>(key: Key, value: Value | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { [Name in Key]?: Value };
}
