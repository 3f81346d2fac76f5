import System.IO

-- Each line has a path and a value, such as "view.seat 1"; a message is all its values by their paths.
type Message = [(String, String)]

number :: String -> Message -> Int
number path message = maybe 0 read (lookup path message)

-- The index of an action, from 0 to legal - 1. Your thinking goes here.
choose :: Int -> Message -> Int
choose seed message = x * x `mod` 9973 `mod` number "legal" message
  where x = seed `mod` 9973 + 7 * number "number" message

play :: Int -> Message -> [String] -> IO ()
play _ _ [] = return ()
play seed message (line : rest) = case break (== ' ') line of
  ("go", _) -> answer
  ("type", value) -> play seed [("type", drop 1 value)] rest
  (path, value) -> play seed ((path, drop 1 value) : message) rest
  where
    answer
      | lookup "type" message == Just "start" = say "ready" >> play (number "seed" message) [] rest
      | otherwise = say (show (choose seed message)) >> play seed [] rest
    say text = putStrLn text >> hFlush stdout

main :: IO ()
main = getContents >>= play 0 [] . lines
